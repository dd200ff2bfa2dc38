import assert from "node:assert/strict";
import { test } from "node:test";
import { barePreview, ownedPreview } from "./frames.ts";

const bytes = Buffer.from([1, 2, 3]);

test("a preview without an owner: kind 1, format, picture", () => {
  assert.deepEqual([...barePreview({ contentType: "image/jpeg", bytes })], [0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3]);
  assert.deepEqual([...barePreview({ contentType: "image/png", bytes })], [0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3]);
});

test("a preview with its owner: kind 4, length, about, picture", () => {
  const frame = ownedPreview({ nodeId: "ü4", promptId: "p" }, { contentType: "image/png", bytes });
  assert.equal(frame.readUInt32BE(0), 4);
  const end = 8 + frame.readUInt32BE(4);
  assert.deepEqual(JSON.parse(frame.subarray(8, end).toString()), {
    node_id: "ü4",
    prompt_id: "p",
    display_node_id: "ü4",
    parent_node_id: null,
    real_node_id: "ü4",
    image_type: "image/png",
  });
  assert.deepEqual(frame.subarray(end), bytes);
});
