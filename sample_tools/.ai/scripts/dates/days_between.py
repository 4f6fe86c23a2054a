"""How many days lie between two dates."""

from datetime import date


def main(start: str, end: str, inclusive: bool = False) -> dict:
    """Count the days between two dates, each written as 2026-01-31."""
    days = (date.fromisoformat(end) - date.fromisoformat(start)).days
    if inclusive:
        days += 1 if days >= 0 else -1
    return {"days": days, "weeks": round(days / 7, 2)}
