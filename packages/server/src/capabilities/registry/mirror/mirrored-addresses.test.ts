import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { parseHash } from "./bring-archive.ts";
import { createMirroredAddresses } from "./mirrored-addresses.ts";

const addresses = createMirroredAddresses(() => "http://content.example");
const version = {
  id: randomUUID(),
  node_id: "Lamp",
  version: "1.0.0+a b",
  downloadUrl: "https://upstream.example/x.zip",
};
const ours = `http://content.example/c/archives/${version.id}?node=Lamp&version=1.0.0%2Ba+b`;

test("download addresses in versions, lists and latest versions point here, and everything else is unchanged", () => {
  const led = { ...version, downloadUrl: ours };
  assert.deepEqual(addresses.within(version), led);
  assert.deepEqual(addresses.within([version, { other: 1 }]), [led, { other: 1 }]);
  assert.deepEqual(addresses.within({ id: "Lamp", latest_version: version }), { id: "Lamp", latest_version: led });
  const { downloadUrl: _, ...without } = version;
  for (const value of [without, { ...version, id: "../x" }, { ...version, node_id: "a/b" }, { svc_nodes: [] }])
    assert.deepEqual(addresses.within(value), value);
});

test("no upstream value breaks the rewriting", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.doesNotThrow(() => addresses.within(value))));
});

test("only a strong ETag of 64 hexadecimal digits says what the bytes are", () => {
  const hash = "ab".repeat(32);
  assert.equal(parseHash(`"${hash}"`), hash);
  for (const etag of [undefined, "", hash, `W/"${hash}"`, `"${hash.slice(1)}"`, [`"${hash}"`]])
    assert.equal(parseHash(etag), null);
});
