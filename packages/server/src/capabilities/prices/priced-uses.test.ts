// Which models show their price on the engine's own node, whose badge has room for a limited number.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PricedUse, usesOfModels } from "./priced-uses.ts";

const price = {} as PricedUse["price"];

test("the engine's node has the prices of models that make pictures and of the sandbox, not of others", () => {
  const models = [
    { id: "bfl/flux", definition: { kind: "image" }, price },
    { id: "kling/film", definition: { kind: "video", nodes: [{ name: "KlingNode" }] }, price },
    { id: "mine/unknown", definition: {}, price },
    { id: "sandbox/video-1", definition: { kind: "video" }, price },
  ];
  const shown = usesOfModels(models).map(({ subject, node }) => `${node.name} ${subject}`);
  assert.deepEqual(shown, [
    "AtelierModelImage model:bfl/flux",
    "KlingNode model:kling/film",
    "AtelierModelImage model:mine/unknown",
    "AtelierModelImage model:sandbox/video-1",
  ]);
});
