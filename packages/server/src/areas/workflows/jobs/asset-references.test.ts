import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asset, AssetId } from "../../../capabilities/assets/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, parseId } from "../../../foundation/ids.ts";
import { resolveAssets } from "./asset-references.ts";

const workspaceId = newId<"workspace">();
const reference = (id: unknown) => ({ __type: "core/ASSET", info: { id } });

// The assets of one workspace, and a class that loads a file by name.
function house(...assets: readonly { id: AssetId; filePath: string | null }[]) {
  const records: Asset[] = assets.map(({ id, filePath }) => ({
    id,
    workspaceId,
    hash: "0".repeat(64),
    size: 1,
    contentType: "image/png",
    servedType: "image/png",
    kind: "image",
    filePath,
    tags: [],
    jobId: null,
    createdAt: new Date(0),
    expiresAt: null,
  }));
  return {
    assets: {
      find: async (wanted: { assetIds: readonly AssetId[]; filePaths: readonly string[] }) =>
        records.filter(({ id, filePath }) => wanted.assetIds.includes(id) || wanted.filePaths.includes(filePath ?? "")),
    },
    graphs: { fileInputs: (classType: string) => (classType === "LoadImage" ? ["image"] : []) },
  };
}

const refusedIds = async (promise: Promise<unknown>): Promise<unknown> => {
  const thrown = await promise.then(
    () => assert.fail("it was accepted"),
    (reason: unknown) => reason,
  );
  assert.ok(thrown instanceof Fault && thrown.code === "missing_asset", String(thrown));
  return thrown.details;
};

test("references are found anywhere, lists included, each once", async () => {
  const [one, two] = [newId<"asset">(), newId<"asset">()];
  const workflow = {
    a: { class_type: "X", inputs: { list: [1, [reference(one), { deep: reference(two) }]], again: reference(one) } },
    b: { class_type: "X", inputs: {}, _meta: { note: reference(two) } },
  };
  const { assetIds, graph } = await resolveAssets(
    house({ id: one, filePath: null }, { id: two, filePath: null }),
    workspaceId,
    workflow,
  );
  assert.deepEqual([...assetIds].sort(), [one, two].sort());
  assert.equal(graph, workflow);
});

test("malformed, unknown and foreign references are refused alike, and the ids are named", async () => {
  const known = newId<"asset">();
  const unknown = newId<"asset">();
  const at = (value: unknown) => ({ a: { class_type: "X", inputs: { image: value } } });
  const deps = house({ id: known, filePath: null });
  assert.deepEqual(await refusedIds(resolveAssets(deps, workspaceId, at([reference(known), reference(unknown)]))), {
    missing_ids: [unknown],
  });
  assert.deepEqual(await refusedIds(resolveAssets(deps, workspaceId, at(reference("../../etc/passwd")))), {
    missing_ids: ["../../etc/passwd"],
  });
  const malformed = [
    { __type: "core/ASSET" },
    { __type: "core/ASSET", info: null },
    { __type: "core/ASSET", info: [] },
    reference(undefined),
    reference(""),
    reference(7),
    reference({ id: known }),
  ];
  for (const value of malformed) {
    assert.deepEqual(await refusedIds(resolveAssets(deps, workspaceId, at(value))), { missing_ids: [] });
  }
});

test("a name that the caller uploaded becomes a reference; other names and other inputs stay as they are", async () => {
  const id = newId<"asset">();
  const deps = house({ id, filePath: "photo.png" });
  const load = (image: string) => ({ class_type: "LoadImage", inputs: { image, other: "photo.png" } });
  const workflow = {
    1: load("photo.png"),
    2: load("photo.png [input]"),
    3: load("gone.png"),
    4: load("photo.png [output]"),
  };
  const { graph, assetIds } = await resolveAssets(deps, workspaceId, workflow);
  const resolved = { __type: "core/ASSET", info: { id, file_path: "photo.png" } };
  assert.deepEqual(graph, {
    1: { class_type: "LoadImage", inputs: { image: resolved, other: "photo.png" } },
    2: { class_type: "LoadImage", inputs: { image: resolved, other: "photo.png" } },
    3: load("gone.png"),
    4: load("photo.png [output]"),
  });
  assert.deepEqual(assetIds, [id]);
  assert.equal(workflow[1].inputs.image, "photo.png", "what was submitted is left alone");
});

test("a graph of any shape is walked without harm, and members of all objects are no members of it", async () => {
  const deps = house();
  const odd: unknown = JSON.parse(
    '{"1":null,"2":[],"3":{"class_type":"LoadImage"},"4":{"class_type":7,"inputs":[]},"__proto__":{"class_type":"LoadImage","inputs":{"image":"a"}},"5":"x"}',
  );
  assert.ok(typeof odd === "object" && odd !== null);
  const { graph } = await resolveAssets(deps, workspaceId, { ...odd });
  assert.deepEqual(Object.keys(graph).sort(), ["1", "2", "3", "4", "5", "__proto__"]);
  assert.equal(parseId("__proto__"), null);
});

test("a file that comes later is named by its path alone, and only where nothing runs; an id that is given must be there", async () => {
  const later = { __type: "core/ASSET", info: { file_path: "photo.png" } };
  const graph = { "1": { class_type: "LoadImage", inputs: { image: later } } };
  const resolved = await resolveAssets(house(), workspaceId, graph, { mayComeLater: true });
  const standIn = {
    __type: "core/ASSET",
    info: { file_path: "photo.png", id: "00000000-0000-0000-0000-000000000000" },
  };
  assert.deepEqual(resolved.graph, { "1": { class_type: "LoadImage", inputs: { image: standIn } } });
  assert.deepEqual(resolved.assetIds, []);
  assert.deepEqual(await refusedIds(resolveAssets(house(), workspaceId, graph)), { missing_ids: [] });
  const id = newId<"asset">();
  for (const info of [{ id: 5, file_path: "a" }, {}, { file_path: 5 }, { id: "", file_path: "a" }]) {
    const wrong = { "1": { inputs: { image: { __type: "core/ASSET", info } } } };
    assert.deepEqual(await refusedIds(resolveAssets(house(), workspaceId, wrong, { mayComeLater: true })), {
      missing_ids: [],
    });
  }
  const absent = { "1": { inputs: { image: reference(id) } } };
  assert.deepEqual(await refusedIds(resolveAssets(house(), workspaceId, absent, { mayComeLater: true })), {
    missing_ids: [id],
  });
});
