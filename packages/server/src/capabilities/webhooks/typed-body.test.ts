import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { typedBody } from "./typed-body.ts";

const typed = (body: string) => typedBody(Buffer.from(body), "job.running").toString();

test("the type goes last, and all other text stays as it is", () => {
  assert.equal(
    typed('{"seed":9007199254740993, "sequence":1}'),
    '{"seed":9007199254740993, "sequence":1,"type":"job.running"}',
  );
  assert.equal(typed(' {"a":{"type":"x"} } '), ' {"a":{"type":"x"} ,"type":"job.running"} ');
  assert.equal(typed("{}"), '{"type":"job.running"}');
});

test("a member of that name appears once, with the type", () => {
  assert.equal(typed('{"type":"video","sequence":1}'), '{"type":"job.running","sequence":1}');
});

test("anything but an object is refused", () => {
  for (const body of ["[]", "7", '"{}"']) assert.throws(() => typed(body), TypeError, body);
});

test("any object is the same with the type in it, whatever its spaces", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        fc.jsonValue(),
      ),
      fc.constantFrom(0, 2),
      (value, spaces) => {
        const text = JSON.stringify(value, null, spaces);
        assert.deepEqual(JSON.parse(typed(text)), { ...JSON.parse(text), type: "job.running" });
      },
    ),
  );
});
