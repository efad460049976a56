"""Import every module of a folder, in name order: the one piece of discovery."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def import_all(package_name: str) -> list[ModuleType]:
    """The modules of a package in name order, each imported so that its members register themselves."""
    package = import_module(package_name)
    names = sorted(module.name for module in iter_modules(package.__path__))
    return [import_module(f"{package_name}.{name}") for name in names]
