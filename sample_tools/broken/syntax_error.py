# Wrong here (python_syntax): the line that begins with "if" has no colon at its end.
"""Say whether a year has 366 days."""

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "python_runtime"
__category__ = "broken"


def main(year: int) -> dict:
    if year % 4
        return {"leap": year % 100 != 0 or year % 400 == 0}
    return {"leap": False}
