import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { csvField, type ExportRecord, exportHead, exportLine } from "./usage-export.ts";

// An RFC 4180 reader, independent of the writer: quoted fields with doubled quotes, plain ones without.
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let [row, field, at]: [string[], string, number] = [[], "", 0];
  while (at < text.length) {
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        if (text[at] === undefined) assert.fail("a quote is not closed");
        if (text[at] !== '"') field += text[at++];
        else if (text[at + 1] === '"') {
          field += '"';
          at += 2;
        } else break;
      }
      at += 1;
    }
    while (at < text.length && text[at] !== "," && !text.startsWith("\r\n", at)) field += text[at++];
    row.push(field);
    field = "";
    if (text[at] === ",") at += 1;
    else {
      at += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

const columns = ["subject", "credits", "status", "replayed", "note"];
const nasty = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[=+\-@'"\t\r\n,;|]{1,4}[a-z"\r\n,]{0,6}$/));
const record: fc.Arbitrary<ExportRecord> = fc.record({
  subject: nasty,
  credits: fc.constantFrom("0", "0.25", "1000000.000001"),
  status: fc.option(fc.integer({ min: 100, max: 599 })),
  replayed: fc.boolean(),
  note: nasty,
});

test("CSV gives every text back, once one leading apostrophe is taken away", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), (records) => {
      const text = exportHead("csv", columns) + records.map((one) => exportLine("csv", columns, one)).join("");
      const [head, ...rows] = parseCsv(text);
      assert.deepEqual(head, columns);
      const given = (value: unknown) => (value === null ? "" : String(value));
      assert.deepEqual(
        rows.map((row) => row.map((field) => field.replace(/^'/, ""))),
        records.map((one) => columns.map((column) => given(one[column]))),
      );
    }),
  );
});

test("no field begins like a formula, as a spreadsheet sees it", () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const [[seen = ""] = []] = parseCsv(`${csvField(text)}\r\n`);
      assert.doesNotMatch(seen, /^[=+\-@\t\r\n＝＋－＠]/);
    }),
  );
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://127.0.0.1")']) {
    assert.ok(csvField(text).startsWith(`"'`), text);
  }
});

test("JSON lines are one object a line, whatever the text holds", () => {
  fc.assert(
    fc.property(record, (one) => {
      const line = exportLine("jsonl", columns, one);
      assert.equal(line.indexOf("\n"), line.length - 1);
      assert.deepEqual(JSON.parse(line), { ...one });
    }),
  );
  assert.equal(exportHead("jsonl", columns), "");
});

test("tags are an object in JSON lines, and its text in a cell", () => {
  const tagged = { subject: "model:a/b", note: { project: 'the "fox"' } };
  assert.deepEqual(JSON.parse(exportLine("jsonl", columns, tagged)), tagged);
  const [[, , , , note = ""] = []] = parseCsv(exportLine("csv", columns, tagged));
  assert.deepEqual(JSON.parse(note), tagged.note);
});
