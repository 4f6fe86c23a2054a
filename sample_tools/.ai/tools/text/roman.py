"""Write a number as a Roman numeral."""

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "python_runtime"
__category__ = "text"

_SIGNS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def main(number: int, lower: bool = False) -> dict:
    """Write a number between 1 and 3999 as a Roman numeral."""
    if not 1 <= number <= 3999:
        raise ValueError("Roman numerals go from 1 to 3999")
    numeral, rest = "", number
    for value, sign in _SIGNS:
        count, rest = divmod(rest, value)
        numeral += sign * count
    return {"number": number, "numeral": numeral.lower() if lower else numeral}
