import assert from "node:assert/strict";
import { test } from "node:test";
import { isWorkId, isWorkTool, toolOfWork, workOfTool } from "./work-names.ts";

test("the tool of a work has a name that every client allows, and its id can be read back", () => {
  const ids = ["w.acme/lighthouse", "w.acme/lighthouse.v3", "w.a-b_c.d/e.f-g_h.v10", "w.1/2", "w.work/work_a"];
  for (const id of ids) {
    assert.ok(isWorkId(id));
    const name = toolOfWork(id);
    assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    assert.ok(isWorkTool(name), name);
    assert.equal(workOfTool(name), id);
  }
  assert.equal(toolOfWork("w.acme/light-house.v3"), "work_acme__light-house--v3");
});

test("ids that are too long get different names of 64 characters, which the catalog resolves", () => {
  const long = `w.${"a".repeat(60)}/${"b".repeat(110)}`;
  const names = [long, `${long}.v2`, `w.${"a".repeat(60)}/${"b".repeat(109)}c`].map(toolOfWork);
  assert.equal(new Set(names).size, 3);
  for (const name of names) {
    assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    assert.ok(isWorkTool(name), name);
    assert.equal(workOfTool(name), null);
  }
});

test("other models and tools are not works", () => {
  for (const id of ["sandbox/image-1", "w/x", "wa.b/c"]) assert.equal(isWorkId(id), false, id);
  for (const name of ["run_model", "list_node_classes", "work_"]) assert.equal(isWorkTool(name), false, name);
});
