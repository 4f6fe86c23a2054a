"""Generated examples leave nothing behind and are not timed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from workbench import paths
from workbench.core.dialects import Names
from workbench.dialect_names import load_names

settings.register_profile(
    "workbench", database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("workbench")


@pytest.fixture(scope="session")
def names() -> Names:
    """Which shipped tools the older forms mean."""
    return load_names(paths.seeds())
