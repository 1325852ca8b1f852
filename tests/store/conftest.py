from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests import databases


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = databases.opened(tmp_path)
    yield engine
    engine.dispose()
