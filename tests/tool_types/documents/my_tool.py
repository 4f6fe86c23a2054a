# kiwi-mcp:validated:2026-01-28T12:00:00Z:abc123
__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "python_runtime"
__category__ = "utility"


def main(input_text: str, count: int = 1) -> dict[str, str]:
    """Says something several times."""
    return {"result": " ".join([input_text] * count)}
