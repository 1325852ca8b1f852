"""What is wrong with a setting, in words for whoever runs the server."""

from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.commands.arguments import OPTIONS
from app.config import file_of, variable

_SECRET = "database"  # noqa: S105 - the name of the setting that holds one.

_FAULTS = {
    "int_parsing": "is no whole number",
    "float_parsing": "is no number",
    "finite_number": "is no finite number",
    "bool_parsing": "is neither true nor false",
    "greater_than": "is not more than {gt:g}",
    "greater_than_equal": "is less than {ge:g}",
    "less_than_equal": "is more than {le:g}",
    "literal_error": "is not {expected}",
}
"""By pydantic's names; what it says itself is for programmers."""


def fault_text(error: ValidationError, options: Mapping[str, object]) -> str:
    """What is wrong with a setting, and where it comes from; a secret is not repeated, nor anything from a file.

    The ``options`` of the command line, by name, win over the environment.
    """
    fault = error.errors(include_url=False)[0]
    name = str(fault["loc"][0])
    path = file_of(name)
    if path and options.get(name) is None:
        return f"{variable(name)}_FILE: what {path} holds {_told(fault)}"
    places = [f"--{name}"] if name in OPTIONS else []
    told = _told(fault) if name == _SECRET else f"“{fault['input']}” {_told(fault)}"
    return f"{name} ({' or '.join([*places, variable(name)])}): {told}"


def _told(fault: ErrorDetails) -> str:
    known = _FAULTS.get(fault["type"])
    if known is None:
        return f"cannot be used: {fault['msg'].removeprefix('Value error, ')}"
    return known.format(**fault.get("ctx", {}))
