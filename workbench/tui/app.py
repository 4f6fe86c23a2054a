"""The app: opens the registry, knows the themes, and shows the screens."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from workbench import paths
from workbench.core.text import one_line
from workbench.errors import UnavailableError, WorkbenchError
from workbench.tui import theming
from workbench.tui.commands import ToolCommands, library_commands
from workbench.tui.following import follow_until
from workbench.tui.memory import Memory
from workbench.tui.messages import OpeningFailed, WorkbenchOpened
from workbench.tui.screens.library import LibraryScreen
from workbench.tui.vocabulary import is_ascii

if TYPE_CHECKING:
    from workbench.workbench import Workbench


class WorkbenchApp(App[None]):
    TITLE = "Workbench"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "screens/library.tcss"]
    COMMANDS = App.COMMANDS | {ToolCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+p",
            "command_palette",
            "palette",
            key_display="^p",
            id="app.palette",
            priority=True,
            tooltip="Find a command, a theme or a tool",
        ),
        Binding(
            "question_mark,f1",
            "help",
            "help",
            key_display="?",
            id="app.help",
            tooltip="All keys, and what they do",
        ),
        Binding("ctrl+q", "quit", "Quit", show=False, id="app.quit", tooltip="Leave Workbench"),
    ]

    def __init__(self, home: Path, project: Path | None = None) -> None:
        self.home = home
        self._project = project
        self._memory = Memory(home)
        self._defaults: dict[bool, dict[str, str]] = {}
        self._may_close = asyncio.Event()
        self._holding: Worker[None] | None = None
        themes = theming.read_themes([paths.themes(), home / "themes"])
        self._theme_faults = themes.faults
        for theme in themes.themes:
            self._defaults.setdefault(theme.dark, dict(theme.variables))
        super().__init__()
        for theme in themes.themes:
            self.register_theme(theme)
        for wanted in (self._memory.theme(), theming.DEFAULT):
            if wanted in self.available_themes:
                self.theme = wanted
                break

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own variables, for themes that do not have them."""
        return self._defaults.get(self.current_theme.dark, {})

    def get_default_screen(self) -> Screen[None]:
        return LibraryScreen()

    # Opening and closing

    def on_mount(self) -> None:
        self.set_class(is_ascii(), "-ascii")
        self.theme_changed_signal.subscribe(self, self._remember_theme)
        for fault in self._theme_faults:
            self.notify(one_line(fault), title="Theme", severity="warning", markup=False)
        self.call_after_refresh(self.open)

    def open(self) -> None:
        """Opens the registry; the answer is a message to the library."""
        self._holding = self.run_worker(
            self._hold,
            group="registry",
            exclusive=True,
            exit_on_error=False,
            description="holds the registry open",
        )

    async def _hold(self) -> None:
        """Holds the registry as long as the app runs. One task enters and leaves it."""
        from workbench.workbench import open_workbench  # after the first paint

        try:
            async with open_workbench(self.home, project=self._project, sync=False) as workbench:
                self.post_message(WorkbenchOpened(workbench))
                await follow_until(self._may_close, workbench, self._tell_library)
        except WorkbenchError as error:
            self.post_message(OpeningFailed(error))
        except OSError as error:
            fault = UnavailableError(
                f"the registry in {self.home} cannot be opened: {error.strerror or error}",
                suggestion="check that the folder exists and may be written, then try again",
            )
            self.post_message(OpeningFailed(fault))

    def _tell_library(self, news: Message) -> None:
        self.library.post_message(news)

    @on(WorkbenchOpened)
    def hand_over(self, event: WorkbenchOpened) -> None:
        self.library.start(event.workbench)

    @on(OpeningFailed)
    def show_failure(self, event: OpeningFailed) -> None:
        self.library.show_failure(event.error)

    async def on_unmount(self) -> None:
        self._may_close.set()
        if self._holding is not None and not self._holding.is_finished:
            with suppress(WorkerCancelled, WorkerFailed):
                await self._holding.wait()

    # What the palette and the screens need

    @property
    def library(self) -> LibraryScreen:
        return next(screen for screen in self.screen_stack if isinstance(screen, LibraryScreen))

    @property
    def workbench(self) -> Workbench | None:
        return self.library.workbench

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        if isinstance(screen, LibraryScreen):
            yield from library_commands(screen)
        yield SystemCommand("Theme", "Choose other colours; remembered", self.search_themes)
        yield SystemCommand("Keys", "All keys, and what they do", self.action_help)
        yield SystemCommand(
            "Screenshot", "Save this screen as an SVG picture", self.deliver_screenshot
        )
        yield SystemCommand("Quit", "Leave Workbench", self.action_quit)

    def action_help(self) -> None:
        from workbench.tui.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def _remember_theme(self, theme: Theme) -> None:
        self._memory.remember(theme=theme.name)


def make_app(home: Path | None = None, project: Path | None = None) -> WorkbenchApp:
    """The app over the registry in `home`, for the command line and for tests."""
    return WorkbenchApp(home or paths.home(), project)


def run(home: Path | None = None, project: Path | None = None) -> int:
    app = make_app(home, project)
    app.run()
    return app.return_code or 0


if __name__ == "__main__":
    raise SystemExit(run())
