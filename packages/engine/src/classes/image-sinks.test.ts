import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import sharp from "sharp";
import { assertPicture, maskOf, picture, pixel, runClass, testContext } from "../../test/support/run-class.ts";
import type { OutputFile } from "../execution/node-runner.ts";
import { outputLocation } from "../files/file-name.ts";
import { byteOf } from "../pictures/colours/eight-bits.ts";
import type { Picture } from "../pictures/picture.ts";

const folder = await mkdtemp(join(tmpdir(), "atelier-engine-test-"));
after(() => rm(folder, { recursive: true, force: true }));

const graph = { "1": { class_type: "EmptyImage", inputs: { text: "grün ✓", seed: 18446744073709551615n } } };

async function saved(name: string, inputs: Readonly<Record<string, unknown>>): Promise<OutputFile[]> {
  const context = testContext({ graph, pngInfo: { workflow: { nodes: [] } } });
  await runClass(name, inputs, context);
  return context.saved;
}

function chunksOf(png: Uint8Array): Map<string, Buffer[]> {
  const buffer = Buffer.from(png);
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at < buffer.length; ) {
    const length = buffer.readUInt32BE(at);
    const type = buffer.toString("latin1", at + 4, at + 8);
    chunks.set(type, [...(chunks.get(type) ?? []), buffer.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return chunks;
}

test("every level survives loading and saving, and anything between is truncated", () => {
  for (let level = 0; level < 256; level++) assert.equal(byteOf(Math.fround(level / 255)), level);
  assert.deepEqual([byteOf(-1), byteOf(2), byteOf(0.999), byteOf(1.9 / 255), byteOf(Number.NaN)], [0, 255, 254, 1, 0]);
});

test("saved pictures are numbered PNG files with exactly the truncated levels", async () => {
  for (const channels of [1, 3, 4]) {
    const images = picture(13, 7, { batch: 2, channels, isSmooth: true });
    const files = await saved("SaveImage", { images, filename_prefix: "sub/p_%width%x%height%_%batch_num%" });
    assert.deepEqual(
      files.map((file) => file.name),
      ["p_13x7_0_00001_.png", "p_13x7_1_00002_.png"],
    );
    assert.deepEqual(
      files.map(({ subfolder, folder, kind }) => [subfolder, folder, kind]),
      Array(2).fill(["sub", "output", "image"]),
    );
    for (const [index, file] of files.entries()) {
      const { data, info } = await sharp(file.bytes).raw().toBuffer({ resolveWithObject: true });
      assert.deepEqual([info.width, info.height], [13, 7]);
      for (let at = 0; at < 13 * 7 * channels; at++) {
        const wanted = Math.floor(Math.fround((images.data[index * 13 * 7 * channels + at] ?? 0) * 255));
        assert.equal(data[channels === 1 ? at * info.channels : at], wanted);
      }
    }
  }
});

test("the graph is embedded as text, in Latin-1 and with every digit of a seed", async () => {
  const [file] = await saved("SaveImage", { images: picture(2, 2), filename_prefix: "a" });
  const texts = chunksOf(file?.bytes ?? Buffer.alloc(0)).get("tEXt") ?? [];
  const [prompt, workflow] = texts.map((text) => text.toString("latin1").split("\0"));
  assert.equal(prompt?.[0], "prompt");
  assert.match(prompt?.[1] ?? "", /"seed": 18446744073709551615/);
  assert.equal(JSON.parse(prompt?.[1] ?? "null")["1"].inputs.text, "grün ✓");
  assert.deepEqual([workflow?.[0], JSON.parse(workflow?.[1] ?? "null")], ["workflow", { nodes: [] }]);
});

test("previews are temporary files, with equal names for the same job and node", async () => {
  const [one] = await saved("PreviewImage", { images: picture(2, 2) });
  const [two] = await saved("PreviewImage", { images: picture(2, 2) });
  assert.match(one?.name ?? "", /^Atelier_temp_[a-z]{5}_00001_\.png$/);
  assert.deepEqual([one?.folder, one?.name], ["temp", two?.name]);
  const [mask] = await saved("MaskPreview", { mask: maskOf(4, 3) });
  const { data } = await sharp(mask?.bytes).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual(
    [data[0], data[1], data[2]],
    Array(3).fill(Math.floor(Math.fround(pixel(maskOf(4, 3), 0, 0) * 255))),
  );
});

test("a prefix that leads out of the folder, or has characters that no name can have, is refused", () => {
  const now = new Date();
  for (const prefix of ["../a", "a/../../b", "/etc/a", "C:\\a", "a\u0000b", "x".repeat(201)]) {
    assert.throws(() => outputLocation(prefix, { now }), /filename_prefix/, prefix);
  }
  assert.deepEqual(outputLocation("a/./b/../c", { now }), { subfolder: "a", prefix: "c" });
  const date = new Date(2026, 2, 4, 5, 6, 7);
  assert.equal(
    outputLocation("%year%-%month%-%day% %hour%%minute%%second%", { now: date }).prefix,
    "2026-03-04 050607",
  );
  fc.assert(
    fc.property(fc.string(), (prefix) => {
      try {
        const location = outputLocation(prefix, { now });
        assert.ok(!location.subfolder.split("/").includes("..") && !location.prefix.includes("/"));
      } catch (thrown) {
        assert.match(String(thrown), /filename_prefix/);
      }
    }),
  );
});

test("an animated PNG has a frame per picture, its frame rate, and the graph after them", async () => {
  const images = picture(6, 5, { batch: 3 });
  const [file] = await saved("SaveAnimatedPNG", { images, filename_prefix: "a", fps: 8, compress_level: 6 });
  const chunks = chunksOf(file?.bytes ?? Buffer.alloc(0));
  assert.equal(file?.animated, true);
  assert.equal(chunks.get("acTL")?.[0]?.readUInt32BE(0), 3);
  assert.deepEqual(
    chunks.get("fcTL")?.map((chunk) => chunk.readUInt16BE(20)),
    [125, 125, 125],
  );
  assert.deepEqual(chunks.get("fdAT")?.length, 2);
  assert.match(chunks.get("comf")?.[0]?.toString("latin1") ?? "", /^prompt\0/);
  const { data } = await sharp(file?.bytes).raw().toBuffer({ resolveWithObject: true });
  assert.equal(data[0], Math.floor(Math.fround((images.data[0] ?? 0) * 255)));
});

test("a lossless animated WEBP keeps every frame exactly", async () => {
  const images = picture(6, 5, { batch: 3 });
  const inputs = { images, filename_prefix: "a", fps: 4, lossless: true, quality: 80, method: "fastest" };
  const [file] = await saved("SaveAnimatedWEBP", inputs);
  assert.deepEqual([file?.name, file?.contentType, file?.animated], ["a_00001_.webp", "image/webp", true]);
  const opened = sharp(file?.bytes, { animated: true });
  const metadata = await opened.metadata();
  assert.deepEqual([metadata.pages, metadata.delay], [3, [250, 250, 250]]);
  assert.match(metadata.exif?.toString("latin1") ?? "", /prompt:/);
  const { data } = await opened.raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual(
    [...data],
    Array.from(images.data, (value) => Math.floor(Math.fround(value * 255))),
  );
});

async function loaded(bytes: Uint8Array, name = "LoadImage", inputs: object = {}) {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  return runClass(name, { image: "picture", ...inputs }, testContext({ file: async () => path }));
}

test("a loaded picture has its levels ÷ 255; its mask is the transparency, or a small empty one", async () => {
  const source = picture(5, 4, { channels: 4, seed: 3 });
  const bytes = Buffer.from(Array.from(source.data, (value) => Math.round(value * 255)));
  const png = await sharp(bytes, { raw: { width: 5, height: 4, channels: 4 } })
    .png()
    .toBuffer();
  const [image, mask] = await loaded(png);
  assert.ok(typeof image === "object" && image.kind === "image" && typeof mask === "object" && mask.kind === "mask");
  assertPicture(image, source, (x, y, channel) => pixel(source, x, y, channel));
  assertPicture(mask, source, (x, y) => Math.fround(1 - pixel(source, x, y, 3)));
  const opaque = await sharp(png).removeAlpha().png().toBuffer();
  const [, none] = await loaded(opaque);
  assert.ok(typeof none === "object" && none.kind === "mask");
  assertPicture(none, { width: 64, height: 64 }, () => 0);
  const [green] = await loaded(png, "LoadImageMask", { channel: "green" });
  assert.ok(typeof green === "object" && green.kind === "mask");
  assertPicture(green, source, (x, y) => pixel(source, x, y, 1));
});

test("grey pictures become three channels, an animation a batch, a rotated photograph upright", async () => {
  const grey = await sharp(Buffer.from([0, 128, 255, 64]), { raw: { width: 2, height: 2, channels: 1 } })
    .png()
    .toBuffer();
  const [image] = await loaded(grey);
  assert.ok(typeof image === "object" && image.kind === "image");
  assertPicture(image, { width: 2, height: 2 }, (x, y) => ([0, 128, 255, 64][y * 2 + x] ?? 0) / 255);
  const frames = picture(3, 2, { batch: 2, seed: 8 });
  const [animated] = await saved("SaveAnimatedWEBP", {
    images: frames,
    filename_prefix: "a",
    fps: 4,
    lossless: true,
    quality: 80,
    method: "fastest",
  });
  const [batch] = await loaded(animated?.bytes ?? Buffer.alloc(0));
  assert.ok(typeof batch === "object" && batch.kind === "image");
  assertPicture(batch, frames, (x, y, channel, index) => pixel(frames, x, y, channel, index));
  const turned = await sharp(Buffer.alloc(2 * 5 * 3), { raw: { width: 5, height: 2, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const [upright] = await loaded(turned);
  assert.ok(typeof upright === "object" && upright.kind === "image");
  assert.deepEqual([upright.width, upright.height], [2, 5]);
});

test("a PNG file that is loaded and saved has the same pixels, bit for bit, over and over", async () => {
  // Every level in every channel, next to many others.
  const pixels = Buffer.from(Array.from({ length: 256 * 64 * 3 }, (_, at) => (at * 167 + (at >> 8)) & 255));
  const path = join(folder, "round.png");
  await writeFile(
    path,
    await sharp(pixels, { raw: { width: 256, height: 64, channels: 3 } })
      .png()
      .toBuffer(),
  );
  for (let round = 0; round < 3; round++) {
    const [images] = await runClass("LoadImage", { image: "a.png" }, testContext({ file: async () => path }));
    const [file] = await saved("SaveImage", { images, filename_prefix: "r" });
    assert.ok(file);
    assert.ok((await sharp(file.bytes).raw().toBuffer()).equals(pixels), `round ${round}`);
    await writeFile(path, file.bytes);
  }
});

test("a colour profile is not applied: the numbers in the file are the numbers of the picture", async () => {
  const red = Buffer.from([255, 0, 0]);
  const profiled = await sharp(red, { raw: { width: 1, height: 1, channels: 3 } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const stored = await sharp(profiled, { ignoreIcc: true }).raw().toBuffer();
  const [image] = await loaded(profiled);
  assert.ok(typeof image === "object" && image.kind === "image");
  assert.deepEqual(
    [...image.data],
    Array.from(stored, (level) => Math.fround(level / 255)),
  );
  assert.notEqual(stored[0], 255);
});

test("SVG is not read, since it may name other files", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><image href="other.png"/></svg>';
  await assert.rejects(loaded(Buffer.from(svg)), /not a picture/);
});

test("a file that is not a picture, a damaged one and one that is too large are refused in plain words", async () => {
  await assert.rejects(loaded(Buffer.from("not a picture")), /not a picture/);
  const png = await sharp({ create: { width: 300, height: 300, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  await assert.rejects(loaded(png.subarray(0, png.length - 60)), /damaged/);
  const path = join(folder, "large");
  await writeFile(path, png);
  const context = testContext({ file: async () => path, pixelsMax: 300 * 299 });
  await assert.rejects(runClass("LoadImage", { image: "x" }, context), /too large|not a picture/);
});

test("the preview class shows every picture and saves none as a result", async () => {
  const context = testContext();
  await runClass("SaveImageWebsocket", { images: picture(4, 4, { batch: 3 }) }, context);
  assert.equal(context.previews.length, 3);
  assert.deepEqual([...new Set(context.saved.map(({ folder }) => folder))], ["shown"]);
});

test("any value becomes a text output", async () => {
  const textOf = async (source: unknown) =>
    Buffer.from((await saved("PreviewAny", { source }))[0]?.bytes ?? []).toString();
  const image: Picture = picture(2, 3);
  assert.deepEqual(await Promise.all(["a", 5, 0.5, true, undefined, 7n].map(textOf)), [
    "a",
    "5",
    "0.5",
    "True",
    "None",
    "7",
  ]);
  assert.match(await textOf(image), /image batch 1, height 3, width 2, channels 3/);
});
