"""The keys of the Library. Single letters work outside text fields."""

from __future__ import annotations

from textual.binding import Binding, BindingType

LIBRARY_KEYS: list[BindingType] = [
    Binding("slash", "search", "search", key_display="/", id="library.search", priority=True,
            tooltip="Search tools by name and words"),
    Binding("escape", "back", "back", key_display="esc", id="library.back",
            tooltip="One level back; never quits"),
    Binding("right_square_bracket", "tab(1)", "tabs", key_display="[ ]",
            id="library.next-tab", tooltip="Next tab of the detail"),
    Binding("left_square_bracket", "tab(-1)", "Tab before", show=False, key_display="[",
            id="library.previous-tab", tooltip="Previous tab of the detail"),
    Binding("S", "sign", "sign", id="library.sign",
            tooltip="Sign the selected tool, after a look at it"),
    Binding("equals_sign", "since_signing", "changes", key_display="=", id="library.changes",
            tooltip="What changed since signing, or last"),
    Binding("y", "copy_id", "copy id", id="library.copy-id",
            tooltip="Copy the id of the selected tool"),
    Binding("f3", "facet(1)", "type", id="library.facet",
            tooltip="While searching: show the next type only"),
    Binding("1", "list", "Library", show=False, id="library.list",
            tooltip="Go to the list of tools"),
]  # fmt: skip
