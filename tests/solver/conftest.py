import pytest

from tests.solver.backends import COMPILED, PLAIN, Backend, must_be_there


@pytest.fixture(params=[COMPILED, PLAIN], ids=["compiled", "plain"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each of the two searches; the compiled one may be missing, but not under CI."""
    made: Backend | None = request.param
    return must_be_there(made)


@pytest.fixture
def compiled() -> Backend:
    return must_be_there(COMPILED)
