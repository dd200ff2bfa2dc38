import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRange, peerReader } from "./peer-address.ts";

test("without a trusted range X-Forwarded-For changes nothing", () => {
  assert.equal(peerReader([])("192.0.2.1", "203.0.113.9"), "192.0.2.1");
});

test("an untrusted peer cannot choose its address", () => {
  assert.equal(peerReader(["10.0.0.0/8"])("192.0.2.1", "203.0.113.9"), "192.0.2.1");
});

test("the nearest address that is no trusted proxy is the caller, so a forged first entry is never reached", () => {
  const read = peerReader(["10.0.0.0/8", "127.0.0.1"]);
  assert.equal(read("10.1.2.3", "198.51.100.7, 203.0.113.9, 10.9.9.9"), "203.0.113.9");
  assert.equal(read("127.0.0.1", "203.0.113.9"), "203.0.113.9");
  assert.equal(read("::ffff:10.1.2.3", "203.0.113.9"), "203.0.113.9");
});

test("nonsense in the list falls back to the socket's peer", () => {
  assert.equal(peerReader(["10.0.0.0/8"])("10.1.2.3", "not-an-address"), "10.1.2.3");
  assert.equal(peerReader(["10.0.0.0/8"])("10.1.2.3", "10.2.2.2"), "10.1.2.3");
});

test("a range is checked when settings are read", () => {
  assert.equal(checkRange("10.0.0.0/8"), null);
  assert.equal(checkRange("::1"), null);
  assert.match(checkRange("ten") ?? "", /address range/);
});
