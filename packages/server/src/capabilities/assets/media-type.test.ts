// The bytes and a list decide what reaches a browser, never what a caller says.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import sharp from "sharp";
import { Fault } from "../../foundation/fault.ts";
import { looksLikeText, signatureBytes, sniffType } from "./addresses/signature.ts";
import { decideMediaTypes, isShown, requireContentType } from "./media-type.ts";

const latin = (text: string) => Buffer.from(text, "latin1");
const served = (declared: string, bytes: Buffer | string, path: string | null = null) =>
  decideMediaTypes(declared, path, Buffer.from(bytes));

test("encoded pictures are recognised by their bytes, whatever type was declared", async () => {
  const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } });
  for (const format of ["png", "jpeg", "webp", "gif", "avif", "tiff"] as const) {
    const bytes = await picture.clone().toFormat(format).toBuffer();
    assert.deepEqual(served("text/html", bytes), { servedType: `image/${format}`, kind: "image" });
  }
});

test("films and sounds are known by their signatures", () => {
  const known: [string, Buffer][] = [
    ["video/mp4", latin("\0\0\0\x20ftypisom\0\0\x02\0isomiso2")],
    ["video/quicktime", latin("\0\0\0\x14ftypqt  \0\0\0\0qt  ")],
    ["audio/mp4", latin("\0\0\0\x20ftypM4A \0\0\0\0M4A mp42")],
    ["video/webm", latin("\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm")],
    ["audio/wav", latin("RIFF\x24\0\0\0WAVEfmt ")],
    ["audio/flac", latin("fLaC\0\0\0\x22")],
    ["audio/ogg", latin("OggS\0\x02\0\0\0\0\0\0\0\0\x01vorbis")],
    ["audio/mpeg", latin("ID3\x04\0\0\0\0\0\0")],
  ];
  for (const [type, bytes] of known) assert.equal(sniffType(bytes), type);
  const frame = Buffer.concat([latin("\xff\xfb\x90\x00"), Buffer.alloc(413)]);
  assert.equal(sniffType(Buffer.concat([frame, frame])), "audio/mpeg");
  assert.equal(sniffType(frame), null, "one frame header alone may be anything");
});

test("nothing a browser could run is served with its real type", () => {
  const hostile: [string, string][] = [
    ["text/html", "<html><script>alert(1)</script>"],
    ["image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"],
    ["application/xhtml+xml", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>"],
    ["text/javascript", "alert(1)"],
    ["application/javascript", "alert(1)"],
    ["text/css", "*{}"],
    ["text/xml", "<a/>"],
    ["application/wasm", "\0asm"],
    ["multipart/x-mixed-replace", "--x"],
    ["application/x-shockwave-flash", "FWS"],
    ["image/png", "<html><script>alert(1)</script>"],
    ["video/mp4", "<script>alert(1)</script>"],
  ];
  for (const [declared, bytes] of hostile) {
    const { servedType } = served(declared, bytes);
    assert.equal(servedType, "application/octet-stream", declared);
    assert.ok(!isShown(servedType));
  }
  assert.ok(isShown(served("text/plain", "<script>alert(1)</script>").servedType), "as plain text it is only text");
});

test("text is text only when its bytes are", () => {
  assert.equal(served("text/plain", "grüße\n").servedType, "text/plain; charset=utf-8");
  assert.equal(served("text/plain", latin("gr\xfc\xdfe")).servedType, "application/octet-stream");
  assert.equal(served("text/plain", "a\0b").servedType, "application/octet-stream");
  assert.deepEqual(served("application/json", "{}"), { servedType: "application/json", kind: "text" });
  assert.equal(served("text/html", "<p>").kind, "text");
  assert.equal(served("application/octet-stream", "x", "l/a.latent").kind, "latent");
});

test("media that no browser shows is recognised by name or declared type, and served as bytes", () => {
  const bytes = latin("RIFF\x24\0\0\0AVI LIST");
  for (const [path, kind] of [
    ["a/clip.avi", "video"],
    ["a.MOV", "video"],
    ["a.bmp", "image"],
    ["a.exr", "image"],
    ["a.aiff", "audio"],
    ["a.opus", "audio"],
    ["a.safetensors", "file"],
    ["avi", "file"],
    [null, "file"],
  ] as const) {
    assert.deepEqual(served("application/octet-stream", bytes, path), { servedType: "application/octet-stream", kind });
  }
  assert.equal(served("image/x-exr", bytes).kind, "image");
  assert.equal(served("video/x-msvideo", bytes, "a.bin").kind, "video");
  assert.equal(served("image/svg+xml", "<svg/>", "a.bmp").kind, "file", "what is a text is no picture");
  assert.equal(served("image/bmp", latin("fLaC\0\0\0\x22"), "a.bmp").kind, "audio", "bytes that are known decide");
});

test("text is recognised wherever the sample ends", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }), (text) => {
      fc.pre(text.isWellFormed() && !/\p{Cc}/u.test(text));
      const long = Buffer.from(text.repeat(Math.ceil((signatureBytes + 10) / Buffer.byteLength(text))));
      assert.ok(looksLikeText(long.subarray(0, signatureBytes)));
    }),
  );
});

test("a declared type is a media type and nothing more", () => {
  for (const good of ["image/png", "text/plain; charset=utf-8", 'a/b; c="d e"', "application/vnd.x+json"]) {
    assert.equal(requireContentType(good), good);
  }
  for (const bad of [
    "",
    "png",
    "image/",
    "image/png\r\nx: y",
    "a/b; c",
    'a/b; c="\n"',
    `a/${"b".repeat(254)}`,
    "image/png,text/html",
  ]) {
    assert.throws(() => requireContentType(bad), Fault, bad);
  }
});
