import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { graphInFile } from "./graph-in-file.ts";

const prompt = { 1: { class_type: "Seed", inputs: { seed: 18446744073709551615n, text: "grün ✓" } } };
const promptText =
  '{"1": {"class_type": "Seed", "inputs": {"seed": 18446744073709551615, "text": "gr\\u00fcn \\u2713"}}}';
const workflowText = '{"nodes": [], "links": []}';
const both = { prompt, workflow: { nodes: [], links: [] } };

const word = (text: string) => Buffer.from(text, "latin1");
const be = (value: number) => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
const le = (value: number) => Buffer.from(be(value)).reverse();
const nul = Buffer.from([0]);

const chunk = (kind: string, ...parts: Uint8Array[]) => {
  const data = Buffer.concat(parts);
  return Buffer.concat([be(data.length), word(kind), data, be(0)]);
};
const png = (...chunks: Buffer[]) =>
  Buffer.concat([word("\x89PNG\r\n\x1a\n"), chunk("IHDR", be(1)), ...chunks, chunk("IEND")]);
const named = (name: string, text: string) => [word(name), nul, word(text)];

const tiff = (entries: readonly (readonly [tag: number, text: string])[], isLittle: boolean) => {
  const u16 = (value: number) => Buffer.from(isLittle ? [value & 255, value >> 8] : [value >> 8, value & 255]);
  const u32 = (value: number) => (isLittle ? le(value) : be(value));
  let at = 8 + 2 + entries.length * 12 + 4;
  const texts: Buffer[] = [];
  const heads = entries.map(([tag, text]) => {
    const bytes = Buffer.from(`${text}\0`);
    const head = Buffer.concat([u16(tag), u16(2), u32(bytes.length), u32(at)]);
    at += bytes.length;
    texts.push(bytes);
    return head;
  });
  const order = word(isLittle ? "II*\0" : "MM\0*");
  return Buffer.concat([order, u32(8), u16(entries.length), ...heads, u32(0), ...texts]);
};
const exif = (isLittle: boolean) =>
  tiff(
    [
      [0x0110, `prompt:${promptText}`],
      [0x010f, `workflow:${workflowText}`],
      [0x010e, "other:{}"],
    ],
    isLittle,
  );
const webp = (...chunks: readonly (readonly [string, Buffer])[]) => {
  const body = Buffer.concat(
    chunks.map(([kind, data]) =>
      Buffer.concat([word(kind), le(data.length), data, data.length % 2 ? nul : Buffer.alloc(0)]),
    ),
  );
  return Buffer.concat([word("RIFF"), le(body.length + 4), word("WEBP"), body]);
};

const comments = (...texts: string[]) => {
  const entry = (text: string) => Buffer.concat([le(Buffer.byteLength(text)), Buffer.from(text)]);
  return Buffer.concat([entry("a writer"), le(texts.length), ...texts.map(entry)]);
};
const tagged = comments(`filler=${"x".repeat(600)}`, `PROMPT=${promptText}`, "title=x=y", `workflow=${workflowText}`);
const flac = Buffer.concat([
  word("fLaC"),
  word("\0\0\0\x02ab"),
  Buffer.from([0x84]),
  be(tagged.length).subarray(1),
  tagged,
]);
const page = (packets: readonly Buffer[]) => {
  const laces = packets.flatMap((packet) => {
    const whole = Array.from({ length: Math.floor(packet.length / 255) }, () => 255);
    return [...whole, packet.length % 255];
  });
  return Buffer.concat([word("OggS"), Buffer.alloc(22), Buffer.from([laces.length]), Buffer.from(laces), ...packets]);
};
// A packet that continues on the next page does not end with a short lace.
const ogg = (tags: Buffer) => {
  const first = tags.subarray(0, 255);
  const head = Buffer.concat([word("OggS"), Buffer.alloc(22), Buffer.from([1, 255]), first]);
  return Buffer.concat([page([word("OpusHead")]), head, page([tags.subarray(255)]), page([word("sound")])]);
};

const spread = (value: number) => Buffer.from([value >> 21, (value >> 14) & 127, (value >> 7) & 127, value & 127]);
const id3 = (version: number, ...frames: Buffer[]) => {
  const body = Buffer.concat([...frames, Buffer.alloc(20)]);
  return Buffer.concat([word("ID3"), Buffer.from([version, 0, 0]), spread(body.length), body, word("\xff\xfbsound")]);
};
const frame = (version: number, encoding: number, text: Buffer) => {
  const body = Buffer.concat([Buffer.from([encoding]), text]);
  return Buffer.concat([word("TXXX"), version === 4 ? spread(body.length) : be(body.length), word("\0\0"), body]);
};
const wide = (text: string) => Buffer.concat([word("\xff\xfe"), Buffer.from(text, "utf16le")]);

const box = (kind: string | Buffer, ...parts: Uint8Array[]) => {
  const data = Buffer.concat(parts);
  return Buffer.concat([be(data.length + 8), typeof kind === "string" ? word(kind) : kind, data]);
};
const data = (text: string) => box("data", be(1), be(0), Buffer.from(text));
const keys = box("keys", be(0), be(2), box("mdta", word("prompt")), box("mdta", word("workflow")));
const keyed = Buffer.concat([
  box("hdlr", Buffer.alloc(24)),
  keys,
  box("ilst", box(be(1), data(promptText)), box(be(2), data(workflowText))),
]);
const free = (name: string, text: string) =>
  box("----", box("mean", be(0), word("org")), box("name", be(0), word(name)), data(text));
const film = (...moov: Buffer[]) =>
  Buffer.concat([box("ftyp", word("isom")), box("mdat", Buffer.alloc(99)), box("moov", ...moov)]);

const ebml = (id: readonly number[], ...parts: Uint8Array[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id), word("\x01\0\0\0"), be(body.length), body]);
};
const simple = (name: string, text: string) =>
  ebml([0x67, 0xc8], ebml([0x45, 0xa3], word(name)), ebml([0x44, 0x87], Buffer.from(text)));
const tags = ebml(
  [0x12, 0x54, 0xc3, 0x67],
  ebml([0x73, 0x73], ebml([0x63, 0xc0]), simple("PROMPT", promptText), simple("WORKFLOW", workflowText)),
);
const webm = Buffer.concat([
  ebml([0x1a, 0x45, 0xdf, 0xa3], word("webm")),
  word("\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff"),
  ebml([0x1f, 0x43, 0xb6, 0x75], Buffer.alloc(99)),
  tags,
]);
const latent = (() => {
  const head = Buffer.from(JSON.stringify({ __metadata__: { prompt: promptText, workflow: workflowText } }));
  return Buffer.concat([le(head.length), le(0), head, Buffer.alloc(8)]);
})();

const files: Record<string, Buffer> = {
  "PNG with plain texts": png(
    chunk("tEXt", ...named("prompt", promptText)),
    chunk("IDAT", word("x")),
    chunk("tEXt", ...named("workflow", workflowText)),
  ),
  "PNG with packed texts": png(
    chunk("zTXt", word("prompt\0\0"), deflateSync(promptText)),
    chunk("iTXt", word("workflow\0\x01\0en\0\0"), deflateSync(workflowText)),
  ),
  "PNG with international texts": png(
    chunk("iTXt", word("prompt\0\0\0\0\0"), Buffer.from(promptText)),
    chunk("iTXt", word("workflow\0\0\0\0\0"), Buffer.from(workflowText)),
  ),
  "animated PNG": png(chunk("comf", ...named("prompt", promptText)), chunk("comf", ...named("workflow", workflowText))),
  "WebP, little end first": webp(["VP8X", Buffer.alloc(9)], ["EXIF", exif(true)]),
  "WebP, big end first, introduced": webp(["EXIF", Buffer.concat([word("Exif\0\0"), exif(false)])]),
  JPEG: Buffer.concat([
    word("\xff\xd8\xff\xe0\0\x04ab\xff\xe1"),
    be(exif(true).length + 8).subarray(2),
    word("Exif\0\0"),
    exif(true),
    word("\xff\xda"),
  ]),
  FLAC: flac,
  "FLAC behind ID3": Buffer.concat([id3(4).subarray(0, -7), flac]),
  Opus: ogg(Buffer.concat([word("OpusTags"), tagged])),
  Vorbis: ogg(Buffer.concat([word("\x03vorbis"), tagged])),
  "MP3, ID3 2.4": id3(
    4,
    frame(4, 3, Buffer.from(`prompt\0${promptText}`)),
    frame(4, 0, word(`workflow\0${workflowText}\0`)),
  ),
  "MP3, ID3 2.3": id3(
    3,
    frame(3, 1, Buffer.concat([wide("prompt\0"), wide(promptText)])),
    frame(3, 0, word(`workflow\0${workflowText}`)),
  ),
  "MP4 with keys": film(box("udta", box("meta", be(0), keyed))),
  "QuickTime with keys": film(box("meta", keyed)),
  "MP4 with names": film(
    box(
      "udta",
      box(
        "meta",
        be(0),
        box("hdlr", Buffer.alloc(24)),
        box("ilst", free("prompt", promptText), free("workflow", workflowText)),
      ),
    ),
  ),
  WebM: webm,
  latent,
};

for (const [name, bytes] of Object.entries(files)) {
  test(`${name}: both graphs are found, with every digit`, async () => {
    assert.deepEqual(await graphInFile(bytes), both);
    assert.deepEqual(await graphInFile(new Blob([new Uint8Array(bytes)])), both);
  });
}

test("missing graphs are not made up", async () => {
  for (const bytes of [
    Buffer.alloc(0),
    png(),
    word("hello, this is a text"),
    png(chunk("tEXt", ...named("prompt", "no JSON"))),
  ]) {
    assert.equal(await graphInFile(bytes), null);
  }
  const one = await graphInFile(png(chunk("tEXt", ...named("prompt", '{"1": {"is_changed": [NaN]}, "2": "NaN, x"}'))));
  assert.deepEqual(one, { prompt: { 1: { is_changed: [null] }, 2: "NaN, x" } });
});

test("a large file is read in pieces, and only where a text can be", async () => {
  const gigabyte = 2 ** 30;
  const head = png(chunk("tEXt", ...named("prompt", promptText))).subarray(0, -12);
  const tail = png(chunk("tEXt", ...named("workflow", workflowText))).subarray(8);
  const picture = Buffer.concat([head, be(gigabyte), word("IDAT")]);
  let read = 0;
  const found = await graphInFile({
    size: picture.length + gigabyte + 4 + tail.length,
    async read(at, length) {
      read += length;
      const after = at - picture.length - gigabyte - 4;
      return after >= 0 ? tail.subarray(after, after + length) : picture.subarray(at, at + length);
    },
  });
  assert.deepEqual(found, both);
  assert.ok(read < 10_000, String(read));
});

test("false lengths and endlessly unpacking texts take no memory", async () => {
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024, 0x20), { level: 9 });
  assert.ok(bomb.length < 100_000);
  assert.equal(await graphInFile(png(chunk("zTXt", word("prompt\0\0"), bomb))), null);
  for (const bytes of Object.values(files)) {
    for (const lie of [0, 0x7fffffff, 0xffffffff]) {
      for (let at = 0; at + 4 <= Math.min(bytes.length, 64); at += 1) {
        const wrong = Buffer.from(bytes);
        wrong.writeUInt32BE(lie, at);
        await graphInFile(wrong);
      }
    }
  }
});

test("reading ends for any file", async () => {
  const any = fc.constantFrom(...Object.values(files));
  const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(any, edits, fc.nat(), async (bytes, changes, end) => {
      const wrong = Buffer.from(bytes);
      for (const [at, value] of changes) wrong[at % wrong.length] = value;
      await graphInFile(wrong.subarray(0, end % 3 === 0 ? end % wrong.length : wrong.length));
    }),
    { numRuns: 300 },
  );
});
