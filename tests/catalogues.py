"""The catalogues of the languages, made from the sources: ``python -m tests.catalogues [CODE]`` brings them up to date.

New messages come in untranslated, those that are no longer said go; tests/web/test_languages.py tells what is missing.
"""

import contextlib
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

import app.main  # noqa: F401 - so that every error that is told is known.
from app.rules.told import Told
from app.web.language import CATALOGUES, CODES
from tests.web.server import ROOT

TRANSLATED = CODES[1:]
_WIDTH = 120
_METHODS = [("app/commands/**.py", "ignore"), ("app/**.py", "python"), ("templates/**", "jinja2")]
_OPTIONS = {"templates/**": {"extensions": "jinja2.ext.i18n", "silent": "false", "trimmed": "true"}}


def told_names(error: type[Told] = Told) -> Iterator[str]:
    """The names of all errors that are told; what is raised is a message."""
    for kind in error.__subclasses__():
        yield kind.__name__
        yield from told_names(kind)


def extracted() -> Catalog:
    """All messages of the sources, in the order of files and lines."""
    catalogue = Catalog(project="Pyramid 13", fuzzy=False)
    keywords = {**DEFAULT_KEYWORDS, "noted": None, **dict.fromkeys(told_names())}
    with contextlib.chdir(ROOT):
        found = extract_from_dir(".", _METHODS, _OPTIONS, keywords, comment_tags=("For translators:",))
        for name, _line, message, comments, context in found:
            catalogue.add(message, None, [(Path(name).as_posix(), None)], auto_comments=comments, context=context)
    return catalogue


def read(code: str) -> Catalog:
    """The catalogue of a language as it is kept; an empty one where there is none."""
    path = CATALOGUES / f"{code}.po"
    if not path.exists():
        return Catalog(code, project="Pyramid 13", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def updated(code: str) -> bytes:
    """The catalogue of a language with the messages of the sources."""
    catalogue = read(code)
    catalogue.update(extracted(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    written = BytesIO()
    write_po(written, catalogue, width=_WIDTH, include_lineno=False, ignore_obsolete=True)
    return written.getvalue()


if __name__ == "__main__":
    for code in sys.argv[1:] or TRANSLATED:
        (CATALOGUES / f"{code}.po").write_bytes(updated(code))
