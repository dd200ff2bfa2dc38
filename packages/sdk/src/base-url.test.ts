import assert from "node:assert/strict";
import { test } from "node:test";
import { baseUrlOf } from "./transport.ts";

test("an address of this machine needs no scheme; an invalid address is refused with the right spelling", () => {
  assert.equal(baseUrlOf("127.0.0.1:9000/"), "http://127.0.0.1:9000");
  assert.equal(baseUrlOf("localhost:9000/deployment/x"), "http://localhost:9000/deployment/x");
  assert.equal(baseUrlOf("https://studio.example/"), "https://studio.example");
  for (const text of ["studio.example", "localhost.evil.example:80", "ftp://x", ""])
    assert.throws(() => baseUrlOf(text), /must start with http:\/\/ or https:\/\//, text);
});
