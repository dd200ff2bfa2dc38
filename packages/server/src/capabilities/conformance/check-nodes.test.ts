import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { shippedDefinition, shippedFolder } from "../model-calls/index.ts";
import { checkNodesFile, shippedNodeFiles } from "../partner-nodes/index.ts";
import { checkNodes } from "./check-nodes.ts";
import { readFixtures } from "./fixtures.ts";

async function shipped(name: string) {
  const definition = (await shippedDefinition(name)) ?? assert.fail(name);
  const read = readFixtures(JSON.parse(await readFile(join(shippedFolder, `${name}.fixtures.json`), "utf8")));
  return { definition, fixtures: read.ok ? read.fixtures : assert.fail(name) };
}

test("every shipped node class fits the definition of its provider", async () => {
  const files = await shippedNodeFiles();
  assert.ok(files.length >= 9, `${files.length}`);
  for (const path of files) {
    const checked = checkNodesFile(JSON.parse(await readFile(path, "utf8")));
    assert.ok(checked.ok, `${path}: ${JSON.stringify(checked)}`);
    assert.deepEqual(checkNodes({ classes: checked.classes, ...(await shipped(checked.provider)) }), [], path);
  }
});

test("what another class of the file gives is sent and checked too", async () => {
  const giving = {
    name: "Giving",
    category: "c",
    description: "d",
    input: { required: { width: ["INT", { default: 7, min: 1, max: 9 }] as const } },
    outputs: [],
    calls: [],
    values: [{ type: "MINE_SIZE", name: "size", gives: { width: { $input: "width" } } }],
  };
  const taking = {
    name: "Taking",
    category: "c",
    description: "d",
    input: { required: { prompt: ["STRING", {}] as const, size: ["MINE_SIZE", {}] as const } },
    outputs: [{ type: "IMAGE" as const, name: "IMAGE", from: ["/result/sample"] }],
    calls: [
      { model: "bfl/flux-2-pro", body: { prompt: { $input: "prompt" }, width: { $input: "size", at: "/width" } } },
    ],
  };
  const found = checkNodes({ classes: [giving, taking], ...(await shipped("bfl")) });
  assert.deepEqual(
    found.map(({ path, problem }) => `${path} ${problem}`),
    ["/classes/1/calls/0/body the model refuses what it sends: /width must be >= 64"],
  );
});

test("a class whose model, input or output the provider does not have is found", async () => {
  const of = await shipped("bfl");
  const declared = {
    name: "Lying",
    category: "c",
    description: "d",
    input: { required: { prompt: ["STRING", {}] as const, width: ["INT", { default: 7, min: 1, max: 9 }] as const } },
    outputs: [{ type: "IMAGE" as const, name: "IMAGE", from: ["/result/pictures/*"] }],
    calls: [
      { when: { width: { is: [8] } }, model: "bfl/flux-9", body: {} },
      { model: "bfl/flux-2-pro", body: { prompt: { $input: "prompt" }, width: { $input: "width" }, sketch: true } },
    ],
  };
  const found = checkNodes({ classes: [declared], ...of }).map(({ path, problem }) => `${path} ${problem}`);
  assert.deepEqual(found, [
    "/classes/0/calls/0/model bfl/flux-9 is not in the definition",
    "/classes/0/calls/1/body the model refuses what it sends: /sketch is not allowed",
    "/classes/0/calls/1/body the model refuses what it sends: /width must be >= 64",
    "/classes/0/outputs/0/from no documented answer of flux-2-pro has a value at /result/pictures/*",
  ]);
});
