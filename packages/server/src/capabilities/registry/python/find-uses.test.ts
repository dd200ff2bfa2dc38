import assert from "node:assert/strict";
import { test } from "node:test";
import { compareUses, sayUse, wordsOf } from "./code-uses.ts";
import { readCode } from "./read-code.ts";

type Files = Readonly<Record<string, string>>;
const usesOf = (files: Files) =>
  readCode(
    Object.keys(files),
    Object.entries(files).map(([name, source]) => ({ name, source })),
  ).uses;
const words = (source: string) => wordsOf(usesOf({ "__init__.py": source })).join(" ");

test("each capability is found by what the names stand for, with file and line", () => {
  const found = usesOf({
    "util.py": `import requests as r, os
from subprocess import Popen as P
def fetch():
    return r.get("http://x")
def go():
    P(["ls"])
    open("x", "w")
    eval("1")
    ctypes.CDLL("x")
    return os.environ.get("HOME")
import ctypes`,
    "lib/fast.so": "",
  });
  assert.deepEqual(
    found.map(({ kind, name, file, line, within, atImport }) => [kind, name, file, line, within, atImport]),
    [
      ["native", "a compiled file", "lib/fast.so", undefined, undefined, false],
      ["network", "requests.get", "util.py", 4, "fetch", false],
      ["processes", "subprocess.Popen", "util.py", 6, "go", false],
      ["files", "open", "util.py", 7, "go", false],
      ["code", "eval", "util.py", 8, "go", false],
      ["native", "ctypes.CDLL", "util.py", 9, "go", false],
      ["environment", "os.environ.get", "util.py", 10, "go", false],
    ],
  );
});

test("harmless code has no capabilities", () => {
  assert.equal(
    words(
      'import re, os, requests\nP = re.compile("x")\nx = os.path.join("a")\nwith open("x") as f: pass\nopen("x", "rb")',
    ),
    "",
  );
  assert.equal(
    words('class A:\n    def eval(self): return self.eval()\n"""os.system(1)"""\n# eval(1)\nmodel.eval()'),
    "",
  );
  assert.equal(
    words("import torch\ntorch.load('x', weights_only=True)\ntry: pass\nexcept requests.exceptions.Timeout: pass"),
    "",
  );
});

test("what a function does happens at import if the function is called from the top of a module, directly or through others", () => {
  const files = (top: string): Files => ({
    "__init__.py": top,
    "a.py":
      "import requests\nfrom .b import deep\ndef load():\n    return deep()\nclass Client:\n    def __init__(self):\n        self.start()\n    def start(self):\n        requests.get('x')",
    "b.py": "import os\ndef deep():\n    def inner():\n        os.system('x')\n    return inner()",
  });
  const atImport = (top: string) =>
    wordsOf(usesOf(files(top)))
      .filter((word) => word.endsWith("_at_import"))
      .join(" ");
  assert.equal(atImport("from . import a"), "");
  assert.equal(atImport("from . import a\na.load()"), "processes_at_import");
  assert.equal(atImport("from .a import load as go\nif go(): pass"), "processes_at_import");
  assert.equal(atImport("from .a import Client\nNODES = {'x': Client}"), "");
  assert.equal(atImport("from .a import Client\nx = Client()"), "network_at_import");
  assert.equal(
    atImport("import threading\nfrom .a import load\nthreading.Thread(target=load).start()"),
    "processes_at_import",
  );
  assert.equal(atImport("from .a import load\nif __name__ == '__main__':\n    load()"), "");
  assert.equal(atImport("from .a import load\nclass N:\n    x = load()"), "processes_at_import");
  assert.equal(atImport("from .a import load\ndef f(x=load()): pass"), "processes_at_import");
});

// A plain pack, and twelve updates of it that should not be installed unseen.
const plain: Files = {
  "__init__.py": "from .nodes import NODE_CLASS_MAPPINGS",
  "nodes.py": `import os, json, requests
from .util import clean
class Fetch:
    def run(self, url):
        return requests.get(url)
def save(path, data):
    with open(path, "w") as f:
        json.dump(data, f)
NODE_CLASS_MAPPINGS = {"Fetch": Fetch}`,
  "util.py": "import base64\ndef clean(x):\n    return x",
};
const hostile: Readonly<Record<string, readonly [Files, string]>> = {
  "opens the network at import": [
    { "util.py": "import urllib.request\n\nurllib.request.urlopen('http://x').read()\ndef clean(x): return x" },
    "2.0.0 newly opens the network at import, util.py:3 (urllib.request.urlopen).",
  ],
  "moves a known call to import": [
    { "nodes.py": `${plain["nodes.py"]}\nFetch().run("http://x")` },
    "2.0.0 newly opens the network at import, nodes.py:5 (requests.get).",
  ],
  "reads keys from the environment": [
    { "util.py": "import os as o\ndef clean(x):\n    return dict(o.environ)" },
    "2.0.0 newly reads the environment, util.py:3 (os.environ).",
  ],
  "starts a process behind an alias": [
    { "util.py": "from os import system as tidy\ndef clean(x):\n    tidy(x)" },
    "2.0.0 newly starts processes, util.py:3 (os.system).",
  ],
  "imports by a written name": [
    { "util.py": "def clean(x):\n    return __import__('subprocess').run(x)" },
    "2.0.0 newly starts processes, util.py:2 (subprocess.run).",
  ],
  "puts the name together": [
    { "util.py": "import os\ndef clean(x):\n    return getattr(os, 'sys' + 'tem')(x)" },
    "2.0.0 newly starts processes, util.py:3 (os.system).",
  ],
  "takes a member by a computed name": [
    { "util.py": "import os\ndef clean(x):\n    return getattr(os, x)('id')" },
    "2.0.0 newly evaluates code, util.py:3 (getattr(os, …)).",
  ],
  "runs decoded text": [
    { "util.py": "import base64\nexec(base64.b64decode('cHJpbnQ='))\ndef clean(x): return x" },
    "2.0.0 newly evaluates code at import, util.py:2 (exec).",
  ],
  "loads a pickle": [
    { "util.py": "import pickle\ndef clean(x):\n    return pickle.loads(x)" },
    "2.0.0 newly evaluates code, util.py:3 (pickle.loads).",
  ],
  "brings a compiled file": [{ "lib/fast.pyd": "" }, "2.0.0 newly loads native code, lib/fast.pyd (a compiled file)."],
  "calls a library of the system": [
    { "util.py": "from ctypes import cdll\ndef clean(x):\n    return cdll.LoadLibrary(x)" },
    "2.0.0 newly loads native code, util.py:3 (ctypes.cdll.LoadLibrary).",
  ],
  "sends from a thread at import": [
    {
      "util.py":
        "import threading, socket\ndef home():\n    socket.create_connection(('x', 1))\nthreading.Thread(target=home, daemon=True).start()\ndef clean(x): return x",
    },
    "2.0.0 newly opens the network at import, util.py:3 (socket.create_connection).",
  ],
};

test("twelve hostile updates are named, each with its place", () => {
  assert.equal(Object.keys(hostile).length, 12);
  const before = usesOf(plain);
  for (const [name, [change, sentence]] of Object.entries(hostile)) {
    const { added } = compareUses(before, usesOf({ ...plain, ...change }));
    assert.ok(added.length > 0, name);
    assert.equal(sayUse("2.0.0", added[0] ?? assert.fail(name)), sentence, name);
  }
});

test("a version that can do nothing new says so, also if lines have moved", () => {
  const moved = { ...plain, "nodes.py": `# a new comment\n\n${plain["nodes.py"]}` };
  assert.deepEqual(compareUses(usesOf(plain), usesOf(moved)), { added: [], removed: [] });
  const more = { ...plain, "nodes.py": `${plain["nodes.py"]}\ndef more(url):\n    return requests.post(url)` };
  const { added } = compareUses(usesOf(plain), usesOf(more));
  assert.deepEqual(
    added.map((use) => sayUse("1.4.1", use)),
    ["1.4.1 opens the network in one more place, nodes.py:11 (requests.post)."],
  );
});
