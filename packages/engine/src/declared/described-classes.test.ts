import assert from "node:assert/strict";
import { test } from "node:test";
import { classSet } from "./class-set.ts";
import type { NodeDeclaration } from "./declaration.ts";

// Counts how often its inputs are read, which only a description does.
function counted(name: string) {
  const reads = { count: 0 };
  const declared: NodeDeclaration = {
    name,
    category: "partner",
    description: "A class.",
    get input() {
      reads.count += 1;
      return { required: { prompt: ["STRING", {}] as const } };
    },
    outputs: [{ type: "STRING", name: "STRING", from: ["/text"] }],
    calls: [{ model: "mine/one", body: {} }],
  };
  return { declared, reads };
}

test("a declared class is described when it is looked at, once, and not when the server starts", () => {
  const [one, other] = [counted("MineOne"), counted("MineOther")];
  const classes = classSet([one.declared, other.declared]).of("0.30");
  assert.ok(classes.has("MineOne") && [...classes.keys()].includes("MineOther") && classes.size > 2);
  assert.deepEqual([one.reads.count, other.reads.count], [0, 0]);
  const described = classes.get("MineOne");
  const reads = one.reads.count;
  assert.deepEqual(
    described?.inputs.map(({ name }) => name),
    ["prompt"],
  );
  assert.equal(classes.get("MineOne"), described);
  assert.deepEqual([one.reads.count, other.reads.count], [reads, 0]);
});

test("all classes are listed with the built-in ones first, whichever way they are read", () => {
  const classes = classSet([counted("MineOne").declared]).of("0.30");
  const names = [...classes.keys()];
  assert.equal(names.at(-1), "MineOne");
  assert.equal(names.length, classes.size);
  assert.deepEqual(
    [...classes].map(([name]) => name),
    names,
  );
  assert.deepEqual(
    [...classes.values()].map(({ name }) => name),
    names,
  );
  const seen: string[] = [];
  classes.forEach((_, name) => {
    seen.push(name);
  });
  assert.deepEqual(seen, names);
});
