import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { pngPixels } from "./png-pixels.ts";
import { sixelText } from "./sixel.ts";
import { pictureTerminal, pictureText } from "./terminal-picture.ts";

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
  ends[0].writeUInt32BE(data.length);
  ends[1].writeUInt32BE(crc32(body));
  return Buffer.concat([ends[0], body, ends[1]]);
}

// Rows as in the file: the filter, then the bytes.
function png(width: number, kind: number, rows: readonly (readonly number[])[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(rows.length, 4);
  head.set([8, kind, 0, 0, 0], 8);
  const magic = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    magic,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("pixels come out of every filter unchanged", () => {
  const rows = [
    [0, 10, 20, 30, 40, 50, 60],
    [1, 1, 1, 1, 1, 1, 1],
    [2, 1, 1, 1, 1, 1, 1],
    [3, 1, 1, 1, 1, 1, 1],
    [4, 1, 1, 1, 1, 1, 1],
  ];
  const pixels = pngPixels(png(2, 2, rows));
  assert.ok(pixels);
  assert.deepEqual([pixels.width, pixels.height], [2, 5]);
  assert.deepEqual([...pixels.rgb.subarray(0, 18)], [10, 20, 30, 40, 50, 60, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3]);
  assert.deepEqual([...pixels.rgb.subarray(18, 24)], [2, 2, 2, 3, 3, 3]);
});

test("grey and transparent pictures are read; others are not drawn", () => {
  assert.deepEqual([...(pngPixels(png(1, 0, [[0, 200]]))?.rgb ?? [])], [200, 200, 200]);
  assert.deepEqual([...(pngPixels(png(1, 6, [[0, 200, 100, 50, 0]]))?.rgb ?? [])], [0, 0, 0]);
  assert.equal(pngPixels(png(1, 3, [[0, 1]])), null);
  assert.equal(pngPixels(png(2, 2, [[0, 1]])), null);
});

test("no bytes make it throw", () => {
  const good = png(3, 2, [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, value, length) => {
      const bytes = Buffer.from(good);
      bytes[at] = value;
      pngPixels(bytes.subarray(0, length));
      pngPixels(bytes);
    }),
    { numRuns: 300 },
  );
});

test("a picture is strips of six rows, each colour once in a strip, runs counted", () => {
  const red = Array.from({ length: 8 * 7 }, () => [255, 0, 0]).flat();
  const text = sixelText({ width: 8, height: 7, rgb: Uint8Array.from(red) });
  assert.equal(text, '\u001bPq"1;1;8;7#180;2;100;0;0#180!8~-#180!8@\u001b\\');
});

test("terminals with sixels get them, of PNG only", () => {
  assert.equal(pictureTerminal({ TERM: "foot" }), "sixel");
  assert.ok(pictureText("sixel", png(1, 2, [[0, 0, 0, 0]]), "image/png")?.startsWith("\u001bPq"));
  assert.equal(pictureText("sixel", new Uint8Array(4), "image/jpeg"), null);
});
