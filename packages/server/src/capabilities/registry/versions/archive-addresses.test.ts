import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { createArchiveAddresses, isForEverybody } from "./archive-addresses.ts";

const key = { id: "k1", secret: Buffer.alloc(32, 7) };
const clock = handClock();
const keyRing = { current: () => key, verifying: () => [key] };
const addresses = createArchiveAddresses({ keyRing, clock, contentUrl: () => "http://content.example" });

const locationOf = (url: string) => {
  const { pathname, search } = new URL(url);
  return { path: pathname, queryText: search.slice(1) };
};

test("an upload address names one version, for a day, and is no download address", async () => {
  const id = newId<"node-version">();
  const location = locationOf(addresses.upload(id));
  assert.equal(addresses.readUpload(location), id);
  assert.equal(addresses.readUpload({ ...location, path: location.path.replace(id, newId()) }), null);
  assert.equal(addresses.readUpload({ ...location, queryText: `${location.queryText}&x` }), null);
  const asDownload = { ...location, path: location.path.replace("uploads", "archives") };
  assert.deepEqual(addresses.readDownload(asDownload), { id, isSigned: false });
  await clock.advance(25 * 3_600_000);
  assert.equal(addresses.readUpload(location), null);
});

test("a plain download address counts as unsigned, whatever its query", () => {
  const id = newId<"node-version">();
  assert.deepEqual(addresses.readDownload(locationOf(addresses.signed(id))), { id, isSigned: true });
  assert.deepEqual(addresses.readDownload(locationOf(addresses.plain(id))), { id, isSigned: false });
  assert.deepEqual(addresses.readDownload({ path: `/c/archives/${id}`, queryText: "s=x" }), { id, isSigned: false });
  assert.equal(addresses.readDownload({ path: "/c/archives/x", queryText: "" }), null);
});

test("only an active version of an active node that all may see is for everybody", () => {
  const open = { status: "NodeVersionStatusActive", nodeStatus: "NodeStatusActive", visibleTo: null } as const;
  assert.ok(isForEverybody(open));
  assert.ok(!isForEverybody({ ...open, status: "NodeVersionStatusFlagged" }));
  assert.ok(!isForEverybody({ ...open, nodeStatus: "NodeStatusBanned" }));
  assert.ok(!isForEverybody({ ...open, visibleTo: newId<"workspace">() }));
});
