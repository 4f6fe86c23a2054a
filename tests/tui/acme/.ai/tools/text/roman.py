"""Write a number as a Roman numeral."""

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "python_runtime"
__category__ = "text"

_SIGNS = {"X": 10, "IX": 9, "V": 5, "IV": 4, "I": 1}


def main(number: int) -> str:
    """Write a number below 40 as a Roman numeral."""
    numeral = ""
    for sign, value in _SIGNS.items():
        count, number = divmod(number, value)
        numeral += sign * count
    return numeral
