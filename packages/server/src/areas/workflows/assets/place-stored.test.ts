import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asset } from "../../../capabilities/assets/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import { type PlaceStoredDeps, placeStored } from "./place-stored.ts";

const asset: Asset = {
  id: newId<"asset">(),
  workspaceId: newId<"workspace">(),
  hash: "0".repeat(64),
  size: 1,
  contentType: "text/plain",
  servedType: "text/plain",
  kind: "file",
  filePath: "models/vae/a.safetensors",
  tags: [],
  jobId: null,
  createdAt: new Date(0),
  expiresAt: null,
};

function aFolder(problem: Fault | null) {
  const [placed, removed]: [string[], string[]] = [[], []];
  const deps: PlaceStoredDeps = {
    surface: {
      folder: {
        requireTarget: async () => undefined,
        async put({ id }) {
          if (problem) throw problem;
          placed.push(id);
        },
        open: () => Promise.reject(new Error("nobody asks")),
      },
    },
    assets: { remove: async ({ assetId }) => void removed.push(String(assetId)) },
  };
  return { deps, placed, removed };
}

test("a stored asset is placed if there is a folder, and otherwise nothing happens", async () => {
  const { deps, placed, removed } = aFolder(null);
  await placeStored(deps, { asset, isNewRecord: true, isNewContent: true });
  await placeStored({ ...deps, surface: {} }, { asset, isNewRecord: true, isNewContent: true });
  assert.deepEqual([placed, removed], [[asset.id], []]);
});

test("an asset that cannot be placed is not kept, unless it existed before", async () => {
  const { deps, removed } = aFolder(new Fault("conflict", "taken"));
  await assert.rejects(placeStored(deps, { asset, isNewRecord: false, isNewContent: false }), { code: "conflict" });
  assert.deepEqual(removed, []);
  await assert.rejects(placeStored(deps, { asset, isNewRecord: true, isNewContent: true }), { code: "conflict" });
  assert.deepEqual(removed, [asset.id]);
});
