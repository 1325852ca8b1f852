"""Choosing a card and its partner: at once, by the page's own script, and only the pair is posted."""

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player, Slow

pytestmark = pytest.mark.browser

DEAL = "/d/endless/a"
"""Opens with Jd / 9c 5s / Qd Ac 2h / 5c 8c Js Ah / Qh Kh 8d 9s 7s / 4c 5h 3d Ts 6h 2c / 7d 6c Jh Kc 2s Qc 5d."""


@pytest.fixture
def player(player: Player) -> Player:
    player.open(DEAL)
    return player


def chosen(player: Player) -> list[str]:
    return player.every("#table [aria-pressed=true]", "value")


def marked(player: Player) -> set[str]:
    """The cards that are marked as going with the chosen one."""
    return set(player.every("#table .goes", "value"))


def press_covered(player: Player, code: str) -> None:
    """Click on what can be seen of a covered card."""
    player.card(code).click(position={"x": 8, "y": 8}, force=True)


def test_a_chosen_card_is_marked_and_so_are_its_partners_before_anything_is_asked(player: Player) -> None:
    player.card("6c").click()
    assert chosen(player) == ["6c"]
    assert marked(player) == {"7d"}
    assert player.says("6 of clubs chosen. It goes with 7 of diamonds.")
    player.card("7d").click()
    player.reaches(1)
    assert chosen(player) == []
    assert marked(player) == set()
    (post,) = player.visitor.posts
    assert post.post_data_json.items() >= {"version": "0", "chosen": "6c", "card": "7d"}.items()


def test_choosing_works_while_the_server_is_silent(player: Player) -> None:
    player.visitor.expects("icon.svg")
    player.visitor.context.set_offline(offline=True)
    player.card("2s").click()
    assert chosen(player) == ["2s"]
    assert marked(player) == {"Jh"}


def test_a_card_without_partner_can_be_chosen_and_marks_none(player: Player) -> None:
    player.card("Qc").click()
    assert chosen(player) == ["Qc"]
    assert marked(player) == set()
    assert player.says("Queen of clubs chosen.")


def test_a_second_card_that_does_not_fit_becomes_the_choice_without_scolding(player: Player) -> None:
    player.card("6c").click()
    player.card("Jh").click()
    assert chosen(player) == ["Jh"]
    assert marked(player) == {"2s"}
    expect(player.page.locator(".notice")).to_have_count(0)
    player.card("2s").click()
    player.reaches(1)
    assert len(player.visitor.posts) == 1


def test_the_chosen_card_is_put_back_by_pressing_it_again(player: Player) -> None:
    player.card("6c").click()
    # Later than a slip of the hand, which would be one click.
    player.page.wait_for_timeout(300)
    player.card("6c").click()
    assert chosen(player) == []
    assert marked(player) == set()
    assert player.says("6 of clubs put back.")
    assert not player.visitor.posts


def test_the_chosen_card_is_put_back_by_escape(player: Player) -> None:
    player.card("6c").click()
    player.page.keyboard.press("Escape")
    assert chosen(player) == []
    assert marked(player) == set()
    assert player.says("6 of clubs put back.")
    player.card("7d").click()
    assert chosen(player) == ["7d"]
    assert not player.visitor.posts


def test_a_covered_card_says_what_covers_it_and_posts_nothing(player: Player) -> None:
    press_covered(player, "4c")
    assert chosen(player) == []
    assert player.says("4 of clubs: covered by 7 of diamonds and 6 of clubs.")
    player.card("6c").click()
    press_covered(player, "4c")
    assert chosen(player) == ["6c"]
    assert not player.visitor.posts
    assert player.version == 0


def test_a_card_chosen_while_an_answer_is_under_way_stays_chosen(player: Player) -> None:
    slow = Slow(player)
    player.stock.click()
    player.card("6c").click()
    slow.go_on()
    player.reaches(1)
    assert chosen(player) == ["6c"]
    assert "7d" in marked(player)


def test_a_king_goes_in_one_click_even_while_another_card_is_chosen(player: Player) -> None:
    player.card("6c").click()
    player.act("Kc")
    assert "Kc" not in player.cards()


@pytest.mark.parametrize("seed", ["win-14", "win-5"])
def test_each_card_marks_exactly_the_partners_that_the_rules_allow(player: Player, seed: str) -> None:
    game = player.visitor.begun("three-piles", seed, "draw", "draw", "draw")
    pairs = [action.split("+") for action in game["actions"] if "+" in action]
    player.open(f"/g/{game['id']}")
    for code in player.every("#table [name=card]:not([aria-disabled])", "value"):
        if code.startswith("K"):
            continue
        player.card(code).click()
        assert chosen(player) == [code]
        assert marked(player) == {other for pair in pairs if code in pair for other in pair} - {code}
        player.page.keyboard.press("Escape")
    assert not player.visitor.posts


def test_a_chosen_card_stays_chosen_while_one_draws_for_its_partner(player: Player) -> None:
    player.card("6c").click()
    player.act("draw")
    assert chosen(player) == ["6c"]
