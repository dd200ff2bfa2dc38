// Which resolved addresses may be called, decided without a socket.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chooseAddress } from "./guarded-client.ts";

const policy = { allowHttp: true };
const asPublic = { development: false, isPublic: true, allowances: [] };
const asDevelopment = { development: true, isPublic: false, allowances: [] };
const open = ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111"];
const closed = [
  "127.0.0.1",
  "10.0.0.1",
  "169.254.169.254",
  "100.100.100.200",
  "::1",
  "fd00:ec2::254",
  "::ffff:8.8.8.8",
  "",
];

test("the first of several public addresses is taken", () => {
  assert.deepEqual(chooseAddress(open, policy, asPublic), { address: "93.184.216.34" });
  assert.equal(chooseAddress([], policy, asPublic), "none");
});

test("one forbidden address among public ones refuses the name, in any position", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(open), fc.constantFrom(...closed), fc.nat(3), (passing, forbidden, at) => {
      const mixed = passing.toSpliced(at, 0, forbidden);
      assert.equal(chooseAddress(mixed, policy, asPublic), "forbidden");
    }),
  );
});

test("a development target stays on loopback", () => {
  assert.deepEqual(chooseAddress(["127.0.0.1", "::1"], policy, asDevelopment), { address: "127.0.0.1" });
  for (const other of [...open, "10.0.0.1", "0.0.0.0", "::ffff:127.0.0.1"])
    assert.equal(chooseAddress(["127.0.0.1", other], policy, asDevelopment), "forbidden");
});
