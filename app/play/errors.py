"""What a use case may refuse; each is met with words and a status of its own in app/web/errors.py."""

from app.play.table import Table
from app.rules.state import IllegalMove
from app.rules.told import Told
from app.store.database.door import Unavailable

__all__ = ["GameLeft", "Illegal", "NotFound", "Refused", "Stale", "TooBusy", "TooFast", "Unauthorized", "Unavailable"]


class NotFound(Told):
    """There is no such game, or it is somebody else's: the two are not told apart."""


class TooBusy(Told):
    """The solver has as many questions as it takes, or as many of this player's as it takes of one."""


class TooFast(Exception):  # noqa: N818 - named as it is met.
    """Too many wrong tries in a short time; ``seconds`` until the next is looked at."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"try again in {seconds} seconds")


class Unauthorized(Exception):  # noqa: N818 - named as it is met.
    """A bearer's token that nobody has."""


class Refused(Exception):  # noqa: N818 - named as it is met.
    """An action that changed nothing; ``table`` is how the game stands."""

    def __init__(self, table: Table) -> None:
        self.table = table
        super().__init__(table.id)


class Stale(Refused):
    """An action chosen at another version of the game than the current one."""


class Illegal(Refused):
    """An action that the rules refuse; ``why`` gives the reason."""

    def __init__(self, table: Table, why: IllegalMove) -> None:
        self.why = why
        super().__init__(table)


class GameLeft(Refused):
    """An action on a game that its player gave up."""
