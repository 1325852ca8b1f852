"""The few statements that every move runs, compiled once for a database and then handed straight to its driver.

SQLAlchemy spends some 50 µs on a statement whose SQL it knows already; the driver needs 5.
"""

from typing import Any

from sqlalchemy import ClauseElement, Connection, UpdateBase
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler

from app.store.database.engine import note_write


class Hot:
    """A Core statement, each value a named bindparam, whose SQL is made once per kind of database."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._writes = isinstance(statement, UpdateBase)
        self._compiled: dict[str, SQLCompiler] = {}

    def run(self, connection: Connection, values: dict[str, Any]) -> Any:  # noqa: ANN401 - what the driver returns.
        """The driver's cursor after running the statement within the connection's transaction.

        Raises what SQLAlchemy would raise: DBAPIError and its kinds.
        """
        compiled = self._compiled.get(connection.dialect.name) or self._compile(connection.dialect)
        parameters = [values[name] for name in compiled.positiontup] if compiled.positiontup else values
        if self._writes:
            note_write(connection)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(compiled.string, parameters)
        except connection.dialect.loaded_dbapi.Error as error:
            raise DBAPIError.instance(compiled.string, None, error, connection.dialect.loaded_dbapi.Error) from error
        return cursor

    def _compile(self, dialect: Dialect) -> SQLCompiler:
        compiled = dialect.statement_compiler(dialect, self._statement)
        self._compiled[dialect.name] = compiled
        return compiled
