"""The numbers for Prometheus, on a port of their own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)

from app.rules.ruleset import NAMED, RuleSet
from app.store.news import News

OTHER = "other"
"""What stands for all rule sets without a name, and for methods that no page uses: labels must be few."""

_METHODS = {"GET", "HEAD", "POST"}
_QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_FEW = (1, 2, 4, 8, 16, 32, 64, 128)


class Metrics:
    """What is counted of one application; told by the rooms that it is given to, from any thread."""

    def __init__(self, version: str, solver: str) -> None:
        """Nothing counted yet, of a version with a solver."""
        disable_created_metrics()  # type: ignore[no-untyped-call] # as the library has it.
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "pyramid_requests", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self._request_seconds = Histogram(
            "pyramid_request_seconds", "Time of requests.", ("method", "route"), buckets=_QUICK, registry=registry
        )
        self._moves = Counter("pyramid_moves", "Actions in games, undo included.", ("rules",), registry=registry)
        self._begun = Counter("pyramid_games_begun", "Games with a first action.", ("rules",), registry=registry)
        self._ended = Counter("pyramid_games_ended", "Games won or left.", ("rules", "outcome"), registry=registry)
        self._solver_seconds = Histogram(
            "pyramid_solver_seconds", "Time of searches that ran beside play.", buckets=_QUICK, registry=registry
        )
        self._transaction_seconds = Histogram(
            "pyramid_transaction_seconds",
            "Time of committed transactions, waiting for the database included.",
            buckets=_QUICK,
            registry=registry,
        )
        self._transaction_moves = Histogram(
            "pyramid_transaction_moves",
            "Actions in one transaction, of those with any.",
            buckets=_FEW,
            registry=registry,
        )
        self._waiting = Gauge(
            "pyramid_solver_waiting", "Questions the solver has, the one it searches included.", registry=registry
        )
        build = Gauge("pyramid_build_info", "What runs.", ("version", "solver"), registry=registry)
        build.labels(version, solver).set(1)

    def ask_waiting(self, waiting: Callable[[], int]) -> None:
        """Ask for the number of the solver's questions whenever the numbers are read."""
        self._waiting.set_function(waiting)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        method = method if method in _METHODS else OTHER
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(method, route).observe(seconds)

    def transaction(self, seconds: float, news: News) -> None:
        """Count a transaction, and what happened in it."""
        self._transaction_seconds.observe(seconds)
        moves = 0
        for event, rules in news:
            name = _name(rules)
            if event == "move":
                moves += 1
                self._moves.labels(name).inc()
            elif event == "begun":
                self._begun.labels(name).inc()
            else:
                self._ended.labels(name, event).inc()
        if moves:
            self._transaction_moves.observe(moves)

    def solved(self, seconds: float) -> None:
        """Count a search."""
        self._solver_seconds.observe(seconds)

    @contextmanager
    def offered(self, host: str, port: int) -> Iterator[None]:
        """Offer the numbers at an address within the block. Raises OSError where it is taken."""
        try:
            server, thread = start_http_server(port, host, self._registry)
        except OSError as error:
            raise OSError(f"metrics cannot be offered at {host}:{port}: {error.strerror}") from error
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _name(rules: RuleSet) -> str:
    return rules.slug if rules.slug in NAMED else OTHER
