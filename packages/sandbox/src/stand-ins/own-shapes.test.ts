import assert from "node:assert/strict";
import { test } from "node:test";
import { drawVector, makeSolid } from "./own-shapes.ts";

test("a vector picture has the asked size, and a prompt cannot add elements to it", () => {
  const asked = { prompt: "a <script>&</script>", width: 320, height: 200 };
  const svg = Buffer.from(drawVector(asked, 7)).toString();
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="320" height="200"/);
  assert.ok(svg.includes("<title>a &lt;script&gt;&amp;&lt;/script&gt;</title>") && !svg.includes("<script"));
  assert.notEqual(svg, Buffer.from(drawVector(asked, 8)).toString());
});

test("a 3D model is a whole binary glTF whose lengths fit its parts", () => {
  const glb = Buffer.from(makeSolid(123_456));
  assert.equal(glb.toString("latin1", 0, 4), "glTF");
  assert.deepEqual([glb.readUInt32LE(4), glb.readUInt32LE(8)], [2, glb.length]);
  const jsonBytes = glb.readUInt32LE(12);
  const described = JSON.parse(glb.toString("utf8", 20, 20 + jsonBytes));
  assert.equal(glb.toString("latin1", 24 + jsonBytes, 27 + jsonBytes), "BIN");
  assert.ok(glb.readUInt32LE(20 + jsonBytes) >= described.buffers[0].byteLength);
  const [points, faces] = described.bufferViews;
  assert.deepEqual([points.byteLength, faces.byteLength], [5 * 12, 18 * 2]);
});
