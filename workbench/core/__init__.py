"""Pure functions and plain data. Nothing here reads a file, a clock, a socket or a database."""
