import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { functionSpans } from "./function-bodies.ts";
import { readCode } from "./read-code.ts";
import { parsePython, parseWhole } from "./syntax.ts";
import { TellingWords } from "./telling-words.ts";

const bodiesOf = (text: string) => functionSpans(text).map(({ body, to }) => text.slice(body, to));

test("the bodies of the outermost functions are found, and nothing of what is around them", () => {
  const text = `import os
@mark("def x():")
def first(a: dict[str, int] = {"b": 1},
          b=lambda: 2) -> list[int]:  # comment: here
    """Text: def no():
not_indented"""
    def inner(self):
        return (1,
2)
    # comment
# comment without indentation
    return inner \\
        (a)  # end

class A:
    x = [
def_ := 1]
    async  def second(self):

        await self
    def one(self): return 1
    @staticmethod
    def third():
        return f"{a['b']:>{width}} {{" f'''{
            "x"}'''
y = 1`;
  assert.deepEqual(bodiesOf(text), [
    `"""Text: def no():
not_indented"""
    def inner(self):
        return (1,
2)
    # comment
# comment without indentation
    return inner \\
        (a)  `,
    "await self",
    `return f"{a['b']:>{width}} {{" f'''{
            "x"}'''`,
  ]);
});

test("a text in which a function could end elsewhere has none", () => {
  const body = (text: string) => bodiesOf(`def f(x):\n    pass\n    ${text}\nopen("x", "w")`);
  assert.deepEqual(body("x = 1"), ["pass\n    x = 1"]);
  const unusual = ["x = 'a", 'x = """a', "x = (1", "x = 1)", 'x = f"{x["a"]}"', `x = f"{'"'}"`, "\tx = 1", "x = \\ 1"];
  for (const text of [...unusual, 'x = f"}"', "\fx = 1"]) assert.deepEqual(body(text), [], text);
  assert.deepEqual(bodiesOf("def f():\n\treturn 1"), []);
});

const harmless = [
  "value = [each.name for each in self.items if each is not None]",
  "total = torch.nn.functional.interpolate(image, size=(1, 2), mode='bilinear')",
  'text = f"{self.names[0]} has {len(self.items):>{width}} items"',
  "path = os.path.join(self.folder, 'a') + \"'\"",
  "if np.asarray(value).ndim == 4:\n        value = value[0]",
  '"""Opens nothing.\n    Not even this: {"""',
  "print('x', file=None)",
];
const uses = [
  "requests.get('http://x')",
  "r = requests\n    r.post('http://x')",
  "getattr(os, 'sys' + 'tem')('x')",
  "getattr(__builtins__, name)('x')",
  "__import__('subprocess').run(['x'])",
  "from os import (path,  # )\n      system as tidy)\n    tidy('x')",
  "from o\\\ns import system as tidy\n    tidy('x')",
  "import numpy as n, socket as s\n    n.save('x', 1)\n    s.socket()",
  "torch.load('x')",
  "torch . hub.load('x')",
  "t = torch\n    t.save(1, 'x')",
  "(os).system('x')",
  "os\\\n    .system('x')",
  "sys.modules['os'].system('x')",
  "globals()['os'].system('x')",
  "[Path('x')][0].write_text('y')",
  "with open('x', 'w') as file: pass",
  "alias.run('x')",
  "run('x')",
  "late('x')",
  "ｏｓ.system('x')",
  "é('x')",
  "ü.system('x')",
  "helper()",
  "self.other()",
  "f = helper\n    f()",
  "print 'x'",
];
const tops = [
  "import os, sys, torch\nimport numpy as np, requests",
  "import subprocess as alias\nfrom subprocess import run",
  "late = run",
  "from os import system as é",
  "ü = __import__('os')",
  "late = (os).popen",
  "helper()",
  "A().method()",
  "threading.Thread(target=helper).start()",
  "if __name__ == '__main__':\n    helper()",
  "NODE_CLASS_MAPPINGS = {'A': A}",
  "NODE_CLASS_MAPPINGS = made()",
];

const functionText = (name: string, lines: readonly string[], indent: string) =>
  `${indent}def ${name}(self=None, *rest):\n${lines.map((line) => `${indent}    ${line.replaceAll("\n", `\n${indent}`)}`).join("\n")}\n`;

test("each way to use something is found beside each way to name it", () => {
  for (const top of tops)
    for (const use of uses) {
      const source = `${top}\n${functionText("f", [...harmless, use], "")}`;
      const read = (parse: typeof parsePython) => readCode(["a.py"], [{ name: "a.py", source }], parse).uses;
      assert.deepEqual(read(parsePython), read(parseWhole), source);
    }
});

test("bodies that are left out hide no use, no class and nothing that happens at import", () => {
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...harmless) },
    { weight: 1, arbitrary: fc.constantFrom(...uses) },
  );
  const body = fc.array(line, { minLength: 1, maxLength: 4 });
  const pack = fc.record({
    tops: fc.subarray(tops),
    bodies: fc.tuple(body, body, body, body),
    isTopFirst: fc.boolean(),
  });
  fc.assert(
    fc.property(pack, ({ tops: lines, bodies: [helper, method, other, inner], isTopFirst }) => {
      const made = functionText(
        "made",
        ["names = {'B': A, 'C': A, 'D': A, 'E': A, 'F': A, 'G': A}", "return names"],
        "",
      );
      const nested = functionText(
        "helper",
        [...helper, "def inner():", ...inner.map((each) => `    ${each.replaceAll("\n", "\n    ")}`), "inner()"],
        "",
      );
      const shape = functionText(
        "INPUT_TYPES",
        ["return {'required': {'image': ('IMAGE',), 'mask': ('MASK',), 'x': ('INT',)}}"],
        "    ",
      );
      const classText = `class A:\n    @classmethod\n${shape}    RETURN_TYPES = ("IMAGE",)\n    FUNCTION = "method"\n${functionText("method", method, "    ")}${functionText("other", other, "    ")}`;
      const parts = [made, nested, classText];
      const source = (isTopFirst ? [...lines.slice(0, 3), ...parts, ...lines.slice(3)] : [...parts, ...lines]).join(
        "\n",
      );
      const read = (parse: typeof parsePython) => readCode(["__init__.py"], [{ name: "__init__.py", source }], parse);
      assert.deepEqual(read(parsePython).uses, read(parseWhole).uses, source);
      assert.deepEqual(read(parsePython).extraction.classes, read(parseWhole).extraction.classes, source);
    }),
    { numRuns: 150 },
  );
});

test("most of a plain file is left out", () => {
  const source = Array.from({ length: 50 }, (_, at) => functionText(`f${at}`, harmless, "")).join("\n");
  const { unread } = parsePython("a.py", `import torch, os\nimport numpy as np\n${source}`);
  assert.equal(unread.size, 50);
});

test("long and strange texts take one pass", () => {
  const texts = "import (|from |from\\\n|x=\n|x=(|a1 = a2\n|import a;|def f(|def f():\n |f'{|torch |\\\n".split("|");
  for (const text of texts) {
    const long = text.repeat(Math.ceil(2_000_000 / text.length));
    assert.ok(functionSpans(long).length < 2, text);
    assert.equal(typeof new TellingWords(long).isIn(0, long.length), "boolean");
  }
});
