# kiwi-mcp:validated:2026-01-28T12:00:00Z:abc123
__version__ = "1.0.0"  # a semantic version
__tool_type__ = "python"
__executor_id__ = "python_runtime"
__category__ = "utility"


def main(**kwargs: object) -> dict[str, object]:
    """Gives back what it got."""
    return dict(kwargs)
