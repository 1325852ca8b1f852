"""Alembic's environment: runs migrations on the connection that it is handed, or on the configured database."""

from alembic import context
from sqlalchemy import Connection

from app.config import Settings
from app.store.database.engine import open_engine
from app.store.tables import metadata


def run(connection: Connection) -> None:
    """Run what was asked for."""
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


handed = context.config.attributes.get("connection")
if handed is not None:
    run(handed)
else:
    # Reached from the alembic command line, as in: alembic revision --autogenerate.
    settings = Settings()
    with open_engine(settings.data, address=settings.database.get_secret_value()).connect() as own:
        run(own)
        own.commit()
