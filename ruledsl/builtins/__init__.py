"""The functions of the rule language, one file per topic; `BUILTINS` finds them by name."""

from ruledsl.analysis.functions import BUILTINS
from ruledsl.registry import import_all

import_all(__name__)

__all__ = ["BUILTINS"]
