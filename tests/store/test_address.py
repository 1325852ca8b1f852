"""The address of a database, as it may be shown."""

import pytest

from app.store.database.address import masked


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("", ""),
        ("no address", "***"),
        ("postgresql://host/name", "postgresql://host/name"),
        ("postgresql://me@[::1]:5432/name", "postgresql://me@[::1]:5432/name"),
        ("postgresql://me:hush@host:5432/name", "postgresql://me:***@host:5432/name"),
        ("postgresql://me:hu@sh@host/name", "postgresql://me:***@host/name"),
        ("postgresql://me:hu/s:h@host/name?a=b", "postgresql://me:***@host/name?***"),
        ("postgresql://me:hu?sh@host/name", "postgresql://***"),
        ("postgresql://host/name?user=me&password=hu@sh", "postgresql://***"),
        ("postgresql://me:hush/name", "postgresql://***"),
        ("postgresql://me:hush", "postgresql://***"),
        ("postgresql://host:5432/name", "postgresql://host:5432/name"),
        ("postgresql://one:5432,[::1]:5433,three/name", "postgresql://one:5432,[::1]:5433,three/name"),
        ("postgresql:///name", "postgresql:///name"),
        ("postgresql://host/name?user=me&password=hush", "postgresql://host/name?***"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(address: str, shown: str) -> None:
    assert masked(address) == shown
