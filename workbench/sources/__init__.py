"""Tools on disk: reading them, safely, from files and folders."""
