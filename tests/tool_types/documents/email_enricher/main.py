from importlib import import_module
from typing import Any


async def run(email: str) -> Any:
    companies = import_module("lib.clearbit").Companies()
    return await companies.behind(email.rpartition("@")[2])
