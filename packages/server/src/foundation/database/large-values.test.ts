import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import fc from "fast-check";
import { bindMessage, largeValueBytesMin } from "./large-values.ts";

// The driver's own writer.
const { serialize } = createRequire(createRequire(import.meta.url).resolve("pg"))("pg-protocol");

test("large values are sent from where they are, in the message that the driver would have written", () => {
  const large = Buffer.alloc(largeValueBytesMin, "x");
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constant(null),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.constant(large),
  );
  fc.assert(
    fc.property(fc.array(value), fc.string({ unit: "grapheme-ascii" }), (values, statement) => {
      const pieces = bindMessage({ statement, values });
      assert.ok(Buffer.concat(pieces).equals(serialize.bind({ statement, values })));
      assert.equal(pieces.filter((piece) => piece === large).length, values.filter((given) => given === large).length);
    }),
  );
});
