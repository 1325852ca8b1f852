import pytest

from app.rules.cards import Unreadable
from app.rules.ruleset import IllegalRuleSet
from app.rules.told import Told


def test_a_message_without_values_is_said_as_it_is() -> None:
    assert str(Told("no more than 5 % of it")) == "no more than 5 % of it"


def test_a_message_is_said_with_its_values_in_their_places() -> None:
    error = Told("“%(text)s” has %(count)s characters", text="100 %(count)s", count=12_000)
    assert str(error) == "“100 %(count)s” has 12000 characters"


def test_the_message_and_the_values_are_kept_apart_from_what_is_said() -> None:
    error = Told("game %(number)s is missing", number=7)
    assert (error.message, error.values) == ("game %(number)s is missing", {"number": 7})


def test_a_value_may_be_called_what_it_likes() -> None:
    assert str(Told("%(self)s, %(message)s", self="one", message="two")) == "one, two"


def test_an_error_that_is_made_of_another_says_the_same() -> None:
    why = IllegalRuleSet("%(text)s is %(count)s", text="draw", count=2)
    error = Unreadable(why)
    assert (error.message, error.values, str(error)) == (why.message, why.values, str(why))


def test_an_error_is_a_value_of_another_and_stays_an_error() -> None:
    why = Unreadable("“%(text)s” is not a card", text="6x")
    error = Unreadable("action %(number)s: %(why)s", number=3, why=why)
    assert str(error) == "action 3: “6x” is not a card"
    assert error.values["why"] is why


def test_an_error_without_a_message_says_nothing() -> None:
    assert str(Told()) == ""


@pytest.mark.parametrize("kind", [Unreadable, IllegalRuleSet])
def test_what_cannot_be_read_and_what_is_no_game_are_errors_of_value(kind: type[Told]) -> None:
    with pytest.raises(ValueError, match="draw is 1 or 3"):
        raise kind("draw is 1 or 3")
