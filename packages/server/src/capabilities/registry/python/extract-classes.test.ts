import assert from "node:assert/strict";
import { test } from "node:test";
import { extractClasses } from "./extract-classes.ts";
import { readCode } from "./read-code.ts";
import { parsePython } from "./syntax.ts";

type Files = Readonly<Record<string, string>>;

function extract(files: Files) {
  return extractClasses(Object.keys(files), (file) => {
    const text = files[file];
    return text === undefined ? null : parsePython(file, text);
  });
}
const namesIn = (files: Files) => extract(files).classes.map(({ name }) => name);
const node = (name: string, more = "") => `
class ${name}:
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",)}}
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"
${more}`;

test("a class is described with its inputs, limits, choices, outputs and flags", () => {
  const { status, reasons, classes } = extract({
    "__init__.py": `
from .nodes import *
NODE_DISPLAY_NAME_MAPPINGS = {"Fine": "Fine node"}
NODE_CLASS_MAPPINGS = {"Fine": Fine}`,
    "nodes.py": `
import sys
from enum import Enum
MODES = ["a", "b"]
class Speed(Enum):
    SLOW = "slow"
    FAST = "fast"
class Base:
    CATEGORY = "things"
    RETURN_NAMES = ("out", "mask")
class Fine(Base):
    @classmethod
    def INPUT_TYPES(s):
        size = {"default": 512, "min": -1, "max": 2 ** 14, "step": 8}
        return {
            "required": {"mode": (MODES + ["c"], {"default": "a"}), "width": ("INT", size), "speed": ([s.value for s in Speed],)},
            "optional": {"seed": ("INT", {"max": 0xffffffffffffffff}), "scale": ("FLOAT", {"max": 1., "default": 0.5})},
            "hidden": {"id": "UNIQUE_ID"},
        }
    RETURN_TYPES = ("IMAGE", "MASK")
    OUTPUT_IS_LIST = (False, True)
    OUTPUT_NODE = True
    DEPRECATED = True
    FUNCTION = "go"
    DESCRIPTION = "Does " "fine things."`,
  });
  assert.deepEqual([status, reasons], ["success", []]);
  assert.deepEqual(classes, [
    {
      name: "Fine",
      fields: {
        category: "things",
        deprecated: true,
        description: "Does fine things.",
        display_name: "Fine node",
        function: "go",
        input_types:
          '{"required":{"mode":[["a","b","c"],{"default":"a"}],"width":["INT",{"default":512,"min":-1,"max":16384,"step":8}],"speed":[["slow","fast"]]},"optional":{"seed":["INT",{"max":18446744073709551615}],"scale":["FLOAT",{"max":1,"default":0.5}]},"hidden":{"id":"UNIQUE_ID"}}',
        output_is_list: [false, true],
        output_node: true,
        return_names: '["out","mask"]',
        return_types: '["IMAGE","MASK"]',
      },
    },
  ]);
});

test("mappings are followed through unions, updates, spreads, comprehensions, loops, decorators, functions and imports", () => {
  const mappings: Readonly<Record<string, readonly [string, Files?]>> = {
    union: [`${node("A")}${node("B")}\nNODE_CLASS_MAPPINGS = {"A": A} | {"B": B}`],
    update: [`${node("A")}${node("B")}\nNODE_CLASS_MAPPINGS = {"A": A}\nNODE_CLASS_MAPPINGS.update({"B": B})`],
    item: [
      `${node("A")}${node("B")}\nNODE_CLASS_MAPPINGS = {}\nNODE_CLASS_MAPPINGS["A"] = A\nNODE_CLASS_MAPPINGS |= {"B": B}`,
    ],
    spread: [
      "from . import a, b as c\nNODE_CLASS_MAPPINGS = {**a.NODE_CLASS_MAPPINGS, **c.NODE_CLASS_MAPPINGS}",
      modules(),
    ],
    comprehension: [`${node("A")}${node("B")}\nNODE_CLASS_MAPPINGS = {c.__name__: c for c in [A, B]}`],
    config: [
      `${node("A")}${node("B")}
CONFIG = {"A": {"class": A, "name": "a"}, "B": {"class": B}}
def make(config):
    found = {}
    for name, info in config.items():
        found[name] = info["class"]
    return found, {}
NODE_CLASS_MAPPINGS, NODE_DISPLAY_NAME_MAPPINGS = make(CONFIG)`,
    ],
    decorator: [
      `NODE_CLASS_MAPPINGS = {}
def register(name):
    def inner(cls):
        NODE_CLASS_MAPPINGS[name] = cls
        return cls
    return inner
@register("A")${node("A")}
@register("B")${node("B")}`.replaceAll(")\n\nclass", ")\nclass"),
    ],
    loop: [
      "import importlib\nNODE_CLASS_MAPPINGS = {}\nfor name in ['a', 'b']:\n    module = importlib.import_module(f'.{name}', package=__name__)\n    NODE_CLASS_MAPPINGS.update(module.NODE_CLASS_MAPPINGS)",
      modules(),
    ],
    files: [
      `import importlib, os
NODE_CLASS_MAPPINGS = {}
here = os.path.join(os.path.dirname(os.path.realpath(__file__)), "nodes")
for file in os.listdir(here):
    if not file.endswith(".py") or file.startswith("__"):
        continue
    module = importlib.import_module(".nodes." + os.path.splitext(file)[0], __name__)
    NODE_CLASS_MAPPINGS = {**NODE_CLASS_MAPPINGS, **getattr(module, "NODE_CLASS_MAPPINGS", {})}`,
      modules("nodes/"),
    ],
    attempts: [
      `try:
    from .a import A
    from missing_library import thing
except ImportError:
    A = None
if thing.available():
    from .b import B
else:
    B = None
NODE_CLASS_MAPPINGS = {"A": A, "B": B}`,
      modules(),
    ],
    exported: [
      "from .inner import NODE_CLASS_MAPPINGS\n__all__ = ['NODE_CLASS_MAPPINGS']",
      {
        "inner/__init__.py": "from ..a import A\nfrom ..b import *\nNODE_CLASS_MAPPINGS = dict(A=A, B=B)",
        ...modules(),
      },
    ],
    path: [
      "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'lib'))\nfrom impact.all import NODE_CLASS_MAPPINGS",
      { "lib/impact/all.py": `${node("A")}${node("B")}\nNODE_CLASS_MAPPINGS = {"A": A, "B": B}` },
    ],
  };
  for (const [kind, [top, more = {}]] of Object.entries(mappings)) {
    const found = extract({ "__init__.py": top, ...more });
    assert.deepEqual(
      [found.status, found.reasons, found.classes.map(({ name }) => name)],
      ["success", [], ["A", "B"]],
      kind,
    );
    assert.ok(
      found.classes.every(({ fields }) => fields.return_types === '["IMAGE"]'),
      kind,
    );
  }
});

function modules(folder = ""): Files {
  const one = (name: string) => `${node(name)}\nNODE_CLASS_MAPPINGS = {"${name}": ${name}}`;
  return { [`${folder}a.py`]: one("A"), [`${folder}b.py`]: one("B") };
}

test("classes that declare a schema are found through the extension", () => {
  const { status, reasons, classes } = extract({
    "__init__.py": `
from comfy_api.latest import ComfyExtension, io
class Glow(io.ComfyNode):
    @classmethod
    def define_schema(cls):
        return io.Schema(
            node_id="Glow", display_name="Glow!", category="light", is_experimental=True, is_output_node=True,
            inputs=[io.Image.Input("image"), io.Int.Input("radius", default=3, min=0, max=99), io.Combo.Input("mode", options=["soft", "hard"]),
                    io.ControlNet.Input("net", optional=True), io.Custom("MINE").Input("mine", optional=True)],
            outputs=[io.Image.Output(display_name="lit"), io.ClipVision.Output(is_output_list=True)])
class Ext(ComfyExtension):
    async def get_node_list(self):
        return [Glow]
async def comfy_entrypoint():
    return Ext()`,
  });
  assert.deepEqual([status, reasons], ["success", []]);
  assert.deepEqual(classes, [
    {
      name: "Glow",
      fields: {
        category: "light",
        display_name: "Glow!",
        experimental: true,
        function: "execute",
        input_types:
          '{"required":{"image":["IMAGE",{}],"radius":["INT",{"default":3,"min":0,"max":99}],"mode":["COMBO",{"options":["soft","hard"]}]},"optional":{"net":["CONTROL_NET",{}],"mine":["MINE",{}]}}',
        output_is_list: [false, true],
        output_node: true,
        return_names: '["lit","CLIP_VISION"]',
        return_types: '["IMAGE","CLIP_VISION"]',
      },
    },
  ]);
});

test("what is computed at run time makes it partial, with file and line; the application's own lists do not", () => {
  const found = extract({
    "__init__.py": `import folder_paths, os, comfy.samplers
class A:
    @classmethod
    def INPUT_TYPES(s):
        return {"required": {"model": (folder_paths.get_filename_list("checkpoints"),), "how": (comfy.samplers.KSampler.SAMPLERS,),
          "file": (os.listdir("/tmp"),)}}
    RETURN_TYPES = ("MODEL",)
NODE_CLASS_MAPPINGS = {"A": A}`,
  });
  assert.equal(found.status, "partial");
  assert.deepEqual(found.reasons, ["__init__.py:6: the type of file of A could not be read (os.listdir())."]);
  assert.equal(
    found.classes[0]?.fields.input_types,
    '{"required":{"model":["COMBO"],"how":["COMBO"],"file":["COMBO"]}}',
  );
  const open = extract({
    "__init__.py": "import json\nNODE_CLASS_MAPPINGS = {}\nNODE_CLASS_MAPPINGS.update(json.load(open('x')))",
    ...modules(),
  });
  assert.deepEqual([open.status, open.classes.map(({ name }) => name)], ["partial", ["A", "B"]]);
  assert.match(
    open.reasons[0] ?? "",
    /^__init__\.py:3: which classes there are is computed at run time \(json\.load\(\)\)/,
  );
});

test("a pack without an entry, with Python 2 or with a syntax error says why", () => {
  assert.deepEqual(extract({ "nodes.py": "" }), {
    status: "failed",
    reasons: ["The archive has no __init__.py at its top, so the application finds no nodes in it."],
    classes: [],
  });
  assert.equal(extract({ "__init__.py": "x = 1" }).status, "failed");
  assert.deepEqual(extract({ "__init__.py": "NODE_CLASS_MAPPINGS = {}\nWEB_DIRECTORY = './js'" }), {
    status: "success",
    reasons: [],
    classes: [],
  });
  const old = extract({ "__init__.py": "print 'hello'\nNODE_CLASS_MAPPINGS = {}" });
  assert.deepEqual(old.reasons, ["__init__.py:1: this is Python 2."]);
  const broken = extract({ "__init__.py": "def f(:\n  ]]]\nNODE_CLASS_MAPPINGS = load()" });
  assert.equal(broken.status, "failed");
  assert.ok(
    broken.reasons.some((reason) => /__init__\.py:1: this could not be parsed/.test(reason)),
    broken.reasons.join(),
  );
});

test("code that never ends, nests without end or grows without end is read to a fixed point", () => {
  const endless = [
    "while True:\n    pass",
    "x = 'a'\nwhile True:\n    x = x + x",
    "x = [1]\nfor i in range(10000):\n    x = x + x",
    "def f(n):\n    if unknown(n):\n        return f(n) + f(n)\n    return f(n - 1) + f(n - 2)\nf(9)",
    `x = ${"(".repeat(5_000)}1${")".repeat(5_000)}`,
    `x = ${"[".repeat(5_000)}`,
    `x = ${"1 + ".repeat(5_000)}1`,
    "a = []\nfor i in range(60):\n    a = [a, a]\nclass Big:\n    RETURN_TYPES = a\n    @classmethod\n    def INPUT_TYPES(s):\n        return {'required': {'x': (a,)}}\nNODE_CLASS_MAPPINGS['Big'] = Big",
    "a = {}\na['a'] = a\na.update(a)",
    "x = 9 ** 9 ** 9 ** 9\ny = 1 << 999999999",
    "from . import a\nfrom .a import *",
    "class A(A): pass\nclass B(B.B): B = B",
  ];
  for (const text of endless) {
    const files = {
      "__init__.py": `NODE_CLASS_MAPPINGS = {}\n${text}\n${node("Last")}\nNODE_CLASS_MAPPINGS["Last"] = Last`,
      "a.py": "from . import *\nfrom .a import *",
    };
    const found = extract(files);
    assert.ok(found.classes.length > 0 || found.status === "failed", text.slice(0, 40));
    assert.ok(JSON.stringify(found).length < 1_000_000, text.slice(0, 40));
  }
});

test("10,000 classes are cut at a fixed number, and odd names are left out", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `"N${index}": A`).join(", ");
  const found = extract({
    "__init__.py": `${node("A")}\nNODE_CLASS_MAPPINGS = {${many}, "": A, "${"x".repeat(300)}": A}`,
  });
  assert.equal(found.classes.length, 5_000);
  assert.ok(found.reasons.some((reason) => /more than 5000 classes/.test(reason)));
  const odd = extract({ "__init__.py": `${node("A")}\nNODE_CLASS_MAPPINGS = {"": A, "a\\0b": A, "__proto__": A}` });
  assert.deepEqual(
    odd.classes.map(({ name }) => name),
    ["__proto__"],
  );
});

test("the same bytes give the same result, in any order and with any line ends", () => {
  const source = `${node("A")}\nNODE_CLASS_MAPPINGS = {"A": A}`;
  const read = (text: string) =>
    readCode(
      ["__init__.py", "b.py"],
      [
        { name: "__init__.py", source: text },
        { name: "b.py", source: "import os\nos.system('x')" },
      ],
    );
  assert.deepEqual(read(source), read(source.replaceAll("\n", "\r\n")));
  assert.deepEqual(read(source), read(`\ufeff${source}`));
  assert.deepEqual(namesIn({ "__init__.py": source }), ["A"]);
});

test("a class that changes the schema of its base is a class of its own", () => {
  const { status, classes } = extract({
    "__init__.py": `
from comfy_api.latest import ComfyExtension, io
class Base(io.ComfyNode):
    @classmethod
    def define_schema(cls):
        return io.Schema(node_id="Base", category="x", inputs=[io.Image.Input("image")], outputs=[io.Image.Output()])
class Wide(Base):
    @classmethod
    def define_schema(cls):
        schema = super().define_schema()
        schema.node_id = "Wide"
        schema.inputs.append(io.Int.Input("width", default=64))
        return schema
class E(ComfyExtension):
    async def get_node_list(self):
        return [Base, Wide]
async def comfy_entrypoint():
    return E()`,
  });
  assert.equal(status, "success");
  const inputs = classes.map(({ name, fields }) => [
    name,
    Object.keys(JSON.parse(fields.input_types ?? "{}").required),
  ]);
  assert.deepEqual(inputs, [
    ["Base", ["image"]],
    ["Wide", ["image", "width"]],
  ]);
});
