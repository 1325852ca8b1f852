"""The bounded memory."""

from app.play.recent import Recent


def test_the_oldest_is_forgotten_first_and_keeping_again_makes_new() -> None:
    recent = Recent[str, int](2)
    recent.keep("a", 1)
    recent.keep("b", 2)
    recent.keep("a", 3)
    recent.keep("c", 4)
    assert [recent.get(key) for key in "abc"] == [3, None, 4]


def test_what_is_heavy_drives_out_more_and_the_newest_stays_however_heavy_it_is() -> None:
    recent = Recent[str, str](5, len)
    for key, value in (("a", "xx"), ("b", "xx"), ("a", "xxx"), ("c", "x")):
        recent.keep(key, value)
    assert [recent.get(key) for key in "abc"] == ["xxx", None, "x"]
    recent.keep("d", "xxxxxxx")
    assert [recent.get(key) for key in "abcd"] == [None, None, None, "xxxxxxx"]
    recent.keep("d", "x")
    recent.keep("e", "xxxx")
    assert [recent.get(key) for key in "de"] == ["x", "xxxx"]
