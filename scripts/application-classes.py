# Prints what the application says about its partners' node classes and some of its own, as its object_info does: the definitions of its own source
# are run; libraries that only a run would need are replaced by empty ones.
#   python3 application-classes.py <folder of the application>
import asyncio
import enum
import glob
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import sys
import types
from unittest.mock import MagicMock

folder = sys.argv[1]
sys.path.insert(0, folder)
os.chdir(folder)
sys.argv = ["main.py", "--cpu"]

needed = {"comfy_api", "comfy_api_nodes", "comfy_extras", "comfy_execution", "folder_paths", "typing_extensions", "pydantic",
          "pydantic_core", "annotated_types", "typing_inspection"}


class Empty(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        setattr(self, name, MagicMock(name=f"{self.__name__}.{name}"))
        return getattr(self, name)


class Empties(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        top = name.split(".")[0]
        if top in needed or top in sys.stdlib_module_names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = Empty(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Empties())
found, failed = {}, {}
# Its own classes that no weights need, and that only this version has.
own = ["math", "number_convert", "string", "video", "images", "save_3d", "load_3d", "image_compare", "text", "resolution", "audio"]
paths = sorted(glob.glob("comfy_api_nodes/nodes_*.py")) + [f"comfy_extras/nodes_{name}.py" for name in own]
for path in paths:
    name = path[:-3].replace("/", ".")
    try:
        extension = asyncio.run(importlib.import_module(name).comfy_entrypoint())
        for each in asyncio.run(extension.get_node_list()):
            found[each.GET_SCHEMA().node_id] = each.GET_NODE_INFO_V1()
    except Exception as error:
        failed[name] = repr(error)[:300]
plain = lambda value: value.value if isinstance(value, enum.Enum) else str(value)
json.dump({"classes": found, "failed": failed}, sys.stdout, default=plain)
