import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ClientProblem } from "../server/client-problem.ts";
import { readExample, readForm } from "./publish-work.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-forms-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (content: string): string => {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, content);
  return path;
};

const form = '{"inputs": [{"name": "seed", "maximum": 18446744073709551615}], "outputs": []}';

test("a form is read from what `workflows form` writes, with or without --json, and keeps its digits", () => {
  for (const text of [form, `{"form": ${form}}`, `{"ok": true, "data": {"form": ${form}}}`])
    assert.equal(readForm(file(text)).inputs[0]?.maximum, 18446744073709551615n);
  for (const text of ["[]", "{}", '{"inputs": {}, "outputs": []}'])
    assert.throws(
      () => readForm(file(text)),
      (error) => error instanceof ClientProblem && error.code === "invalid_form",
    );
});

test("an example is inputs by name, or inputs with a title", () => {
  assert.deepEqual(readExample(file('{"prompt": "fog"}')), { inputs: { prompt: "fog" } });
  assert.deepEqual(readExample(file('{"title": "Fog", "inputs": {"prompt": "fog"}}')), {
    title: "Fog",
    inputs: { prompt: "fog" },
  });
  // A work whose form has an input with that name.
  assert.deepEqual(readExample(file('{"inputs": "text"}')), { inputs: { inputs: "text" } });
  assert.throws(() => readExample(file("5")), ClientProblem);
});
