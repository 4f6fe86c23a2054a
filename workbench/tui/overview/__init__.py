"""The Overview of a tool, section by section: each a function from data and width to lines."""
