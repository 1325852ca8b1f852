"""The search in plain Python: the compiled search's twin, which serves where there is no C compiler.

Read in this order: ``hand``, ``table``, ``relaxed``, ``search``.
"""

from app.solver._plain.search import Search

__all__ = ["Search"]
