import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findSpan, findSpans, memberPosition, memberSet, membersOf, spliceJson } from "./json-spans.ts";

const text = (bytes: Buffer, span: { start: number; end: number } | null) =>
  span === null ? null : bytes.toString("utf8", span.start, span.end);

const memberInFront = (bytes: Buffer, name: string, value: string) => {
  const edit = memberSet(memberPosition(bytes, name), value);
  assert.ok(edit);
  return edit;
};
const memberTakenOut = (bytes: Buffer, name: string) => memberSet(memberPosition(bytes, name), null);

test("a value is found as it was written, digits and blanks included", () => {
  const bytes = Buffer.from('{ "a" : {"seed":9007199254740993, "b":[1 , "x\\"y"]}, "é":  1.50e+3 }');
  assert.equal(text(bytes, findSpan(bytes, "/a/seed")), "9007199254740993");
  assert.equal(text(bytes, findSpan(bytes, "/a/b/1")), '"x\\"y"');
  assert.equal(text(bytes, findSpan(bytes, "/é")), "1.50e+3");
  assert.equal(findSpan(bytes, "/a/none"), null);
  assert.equal(text(bytes, findSpan(bytes, "/a/b")), '[1 , "x\\"y"]');
});

test("a star matches every member", () => {
  const bytes = Buffer.from('{"k":{"0":{"u":"a"},"7":{"u":"b"},"8":{}}}');
  assert.deepEqual(
    findSpans(bytes, "/k/*/u").map((span) => [span.pointer, text(bytes, span)]),
    [
      ["/k/0/u", '"a"'],
      ["/k/7/u", '"b"'],
    ],
  );
});

const jsonObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
const spaced = fc.tuple(jsonObject, fc.integer({ min: 0, max: 3 }));

test("every member of any object is found where JSON.parse finds it", () => {
  fc.assert(
    fc.property(spaced, ([object, indent]) => {
      const bytes = Buffer.from(JSON.stringify(object, null, indent));
      const members = membersOf(bytes, 0);
      assert.deepEqual(
        members.map(({ name }) => name),
        Object.keys(object),
      );
      for (const member of members)
        assert.equal(JSON.stringify(JSON.parse(text(bytes, member) ?? "")), JSON.stringify(object[member.name]));
    }),
  );
});

test("a replaced value changes that value and no other byte", () => {
  fc.assert(
    fc.property(spaced, fc.string(), ([object, indent], value) => {
      const bytes = Buffer.from(JSON.stringify({ ...object, chosen: "before" }, null, indent));
      const span = findSpan(bytes, "/chosen");
      assert.ok(span);
      const spliced = spliceJson(bytes, [{ ...span, text: Buffer.from(JSON.stringify(value)) }]);
      assert.ok(spliced.subarray(0, span.start).equals(bytes.subarray(0, span.start)));
      const tail = bytes.length - span.end;
      assert.ok(spliced.subarray(spliced.length - tail).equals(bytes.subarray(span.end)));
      assert.deepEqual(JSON.parse(spliced.toString()).chosen, value);
    }),
  );
});

test("a member comes in front and goes again, and the text is as before", () => {
  fc.assert(
    fc.property(spaced, ([object, indent]) => {
      const { added: _, ...plain } = object;
      const bytes = Buffer.from(JSON.stringify(plain, null, indent));
      const more = spliceJson(bytes, [memberInFront(bytes, "added", '"x"')]);
      assert.deepEqual(JSON.parse(more.toString()), { added: "x", ...JSON.parse(bytes.toString()) });
      const edit = memberTakenOut(more, "added");
      assert.ok(edit);
      assert.deepEqual(JSON.parse(spliceJson(more, [edit]).toString()), JSON.parse(bytes.toString()));
    }),
  );
});

test("a member is removed wherever it is", () => {
  for (const source of ['{"w":1}', '{"w":1,"a":2}', '{"a":2 , "w" : 1}', '{"a":2,"w":[1,{"w":2}],"b":3}']) {
    const bytes = Buffer.from(source);
    const edit = memberTakenOut(bytes, "w");
    assert.ok(edit);
    const { w: _, ...rest } = JSON.parse(source);
    assert.deepEqual(JSON.parse(spliceJson(bytes, [edit]).toString()), rest);
  }
  assert.equal(memberTakenOut(Buffer.from("{}"), "w"), null);
});

test("a member that is there gets its new value in its own place", () => {
  const bytes = Buffer.from('{"a":2 , "w" : [1], "b":3}');
  const edit = memberSet(memberPosition(bytes, "w"), '"new"');
  assert.ok(edit);
  assert.equal(spliceJson(bytes, [edit]).toString(), '{"a":2 , "w" : "new", "b":3}');
});

test("a key is found in every spelling, and of two the last one counts as it does for readers", () => {
  const bytes = Buffer.from('{"\\u0061":1,"aa":2,"b":{"\\"":3}}');
  assert.equal(text(bytes, findSpan(bytes, "/a")), "1");
  assert.equal(text(bytes, findSpan(bytes, '/b/"')), "3");
  const twice = Buffer.from('{"a":1,"a":{"b":2},"a":{"b":3}}');
  assert.equal(text(twice, findSpan(twice, "/a/b")), "3");
});

test("invalid JSON gives an end and no error", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0ab 1') }), (source) => {
      const bytes = Buffer.from(source);
      for (const pointer of ["", "/a", "/a/b", "/*", "/0/*"]) findSpans(bytes, pointer);
      memberPosition(bytes, "a");
    }),
  );
});
