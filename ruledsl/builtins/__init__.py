"""The functions of the rule language, one file per topic; `BUILTINS` finds them by name."""

from ruledsl.registry import import_all

from .base import BUILTINS

import_all(__name__)

__all__ = ["BUILTINS"]
