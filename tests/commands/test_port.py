"""Whether an address can be listened on."""

import socket

import pytest

from app.commands.port import try_to_listen


@pytest.mark.parametrize("host", ["127.0.0.1", "", "0.0.0.0"])  # noqa: S104 - a name only.
def test_a_port_that_another_has_on_one_of_the_addresses_cannot_be_listened_on(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(OSError, match=f"^cannot listen on {host}:{port}: Address already in use$"):
            try_to_listen(host, port)
    try_to_listen(host, port)
