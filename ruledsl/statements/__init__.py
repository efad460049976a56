"""The verbs of the rule language, by topic; each carries its keys, its documentation and how it becomes blocks."""

from ruledsl.registry import import_all

import_all(__name__)
