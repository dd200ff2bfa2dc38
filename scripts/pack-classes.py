# Prints the node classes of one pack as the application would find them: the pack is imported, and libraries that only a run
# would need are replaced by empty ones.
#   python3 pack-classes.py <folder of the application> <folder of the pack>
import asyncio
import enum
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import types
from unittest.mock import MagicMock

application, pack = (os.path.abspath(each) for each in sys.argv[1:3])
sys.path.insert(0, application)
os.chdir(application)
sys.argv = ["main.py", "--cpu"]
out, sys.stdout = sys.stdout, io.StringIO()

needed = {"comfy_api", "comfy_execution", "folder_paths", "typing_extensions", "pydantic", "pydantic_core",
          "annotated_types", "typing_inspection", "pack"}


class Empty(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        setattr(self, name, MagicMock(name=f"{self.__name__}.{name}"))
        return getattr(self, name)


class Empties(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        top = name.split(".")[0]
        own = any(os.path.exists(os.path.join(root, top + end)) for root in sys.path if root.startswith(pack) for end in ("", ".py"))
        if top in needed or top in sys.stdlib_module_names or own:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = Empty(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Empties())
try:
    spec = importlib.util.spec_from_file_location("pack", os.path.join(pack, "__init__.py"), submodule_search_locations=[pack])
    module = importlib.util.module_from_spec(spec)
    sys.modules["pack"] = module
    spec.loader.exec_module(module)
    found = getattr(module, "NODE_CLASS_MAPPINGS", None)
    if found is None and hasattr(module, "comfy_entrypoint"):
        made = module.comfy_entrypoint()
        extension = asyncio.run(made) if asyncio.iscoroutine(made) else made
        found = {each.GET_SCHEMA().node_id: each for each in asyncio.run(extension.get_node_list())}
    if not isinstance(found, dict):
        raise TypeError("it has no mapping")
    result = {"classes": sorted(str(name) for name in found), "outputs": {}}
    for name, each in found.items():
        types_of = getattr(each, "RETURN_TYPES", None)
        if isinstance(types_of, (tuple, list)) and all(isinstance(one, str) for one in types_of):
            result["outputs"][str(name)] = [str(one) for one in types_of]
except BaseException as error:
    result = {"error": repr(error)[:200]}
json.dump(result, out)
