// Habits of public packs that hid classes from an earlier reader, or made it list some that no installation has.
import assert from "node:assert/strict";
import { test } from "node:test";
import { extractClasses } from "./extract-classes.ts";
import { parsePython } from "./syntax.ts";

const extract = (source: string) =>
  extractClasses(["__init__.py"], (file) => (file === "__init__.py" ? parsePython(file, source) : null));
const node = (name: string) => `
class ${name}:
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",)}}
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"`;

test("a decorator that makes a class of a function, or registers one for it, is followed", () => {
  const { status, classes } = extract(`
NODE_CLASS_MAPPINGS = {}
def register(name):
    def decorate(cls):
        NODE_CLASS_MAPPINGS[name] = cls
        return cls
    return decorate
def node(name):
    def decorate(function):
        @register(name)
        class _:
            RETURN_TYPES = ("INT",)
            FUNCTION = "run"
            INPUT_TYPES = lambda: {"required": {"a": ("INT",)}}
            def run(self, **given):
                return function(**given)
        return function
    return decorate
def made(function):
    class Made:
        INPUT_TYPES = lambda: {"required": {}}
        RETURN_TYPES = ("FLOAT",)
        FUNCTION = "run"
    return Made
@node("Sum")
def _(a):
    return (a,)
@node("Difference")
def _(a):
    return (-a,)
@made
def half(a):
    return (a / 2,)
class Plain:
    @made
    def inside(self):
        pass
NODE_CLASS_MAPPINGS["Half"] = half`);
  assert.deepEqual(
    classes.map(({ name, fields }) => [name, fields.return_types]),
    [
      ["Difference", '["INT"]'],
      ["Half", '["FLOAT"]'],
      ["Sum", '["INT"]'],
    ],
  );
  assert.equal(status, "success");
});

test("a pack is read as an application without variables of the pack's own has it", () => {
  const namesIf = (condition: string) =>
    extract(`
import os
from os import environ, getenv
NODE_CLASS_MAPPINGS = {"A": A}
${node("A")}
${node("B")}
if ${condition}:
    NODE_CLASS_MAPPINGS["B"] = B`).classes.map(({ name }) => name);
  for (const condition of [
    '"EXTRA" in os.environ and os.environ["EXTRA"].lower() == "true"',
    'os.environ.get("EXTRA")',
    'environ.get("EXTRA", "0") == "1"',
    'getenv("EXTRA", default="") != ""',
  ])
    assert.deepEqual(namesIf(condition), ["A"], condition);
  assert.deepEqual(namesIf('"EXTRA" not in os.environ'), ["A", "B"]);
  assert.deepEqual(namesIf("os.environ.get(computed())"), ["A", "B"]);
});
