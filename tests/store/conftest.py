from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.store.engine import open_engine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(tmp_path)
    yield engine
    engine.dispose()
