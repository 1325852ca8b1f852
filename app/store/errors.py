"""What keeps a server from its database, each in one plain sentence for whoever runs it."""

from pathlib import Path


def counted(number: int, noun: str) -> str:
    """A number of things: ``1 game``, ``2,000 games``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class StoreError(Exception):
    """The database cannot be used as asked; nothing was changed."""


class InUse(StoreError):  # noqa: N818 - named as it is met, like those below.
    """Another process has the data folder."""

    def __init__(self, folder: Path) -> None:
        place = folder.absolute()
        super().__init__(
            f"{place} is in use: a server, a migration or a restore of this folder is running; stop it first"
        )


class Unwritable(StoreError):  # noqa: N818 - likewise.
    """The data folder, or a file in it, cannot be written."""


class Newer(StoreError):  # noqa: N818 - likewise.
    """The database is at a revision that this version does not know."""

    def __init__(self, revision: str, head: str, what: str = "the database") -> None:
        super().__init__(
            f"{what} is at revision {revision}, this version knows up to {head}; "
            "run a newer version, or restore a backup"
        )


class NotMigrated(StoreError):  # noqa: N818 - likewise.
    """A migration failed."""


class NoBackup(StoreError):  # noqa: N818 - likewise.
    """A file that was to be restored is none of our databases, or is damaged; or none could be made."""


class NotTransferred(StoreError):  # noqa: N818 - likewise.
    """An installation was not carried to another database."""
