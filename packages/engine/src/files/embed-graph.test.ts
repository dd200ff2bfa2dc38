// What saved files carry, so that an editor can open them as a workflow again.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import sharp from "sharp";
import { picture, runClass, testContext } from "../../test/support/run-class.ts";
import { runGraph } from "../../test/support/run-graph.ts";
import { ResultCache } from "../execution/result-cache.ts";
import type { Sound } from "../pictures/picture.ts";
import { embeddedTexts } from "./embed-graph.ts";
import { findTool } from "./ffmpeg.ts";

const ffprobe = findTool("ffprobe");
const skip = ffprobe && findTool("ffmpeg") ? false : "ffmpeg is not installed: video and lossy sound are not tried";
const folder = await mkdtemp(join(tmpdir(), "atelier-embed-test-"));
after(() => rm(folder, { recursive: true, force: true }));

// Longer than a command-line argument or an EXIF text may usually be.
const workflow = { nodes: [{ id: 7, title: "grün = ; # \\ ✓", text: "x".repeat(150_000) }] };
const graph = {
  "1": {
    class_type: "LoadImage",
    inputs: { image: { __type: "core/ASSET", info: { id: "0198", file_path: "sub/cat.png" } } },
  },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], seed: 18446744073709551615n } },
};
const given = { graph, pngInfo: { workflow, note: "by hand", "no name\n": 1, prompt: "another" } };

function assertWhole(texts: ReadonlyMap<string, string>, what: string): void {
  const prompt = texts.get("prompt") ?? "";
  assert.match(prompt, /"seed": 18446744073709551615/, what);
  assert.equal(JSON.parse(prompt)["1"].inputs.image, "sub/cat.png", what);
  assert.deepEqual(JSON.parse(texts.get("workflow") ?? "null"), workflow, what);
  assert.equal(texts.get("note"), '"by hand"', what);
}

async function saved(name: string, inputs: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const context = testContext(given);
  await runClass(name, { filename_prefix: "a", ...inputs }, context);
  return Buffer.from(context.saved[0]?.bytes ?? []);
}

const sound: Sound = {
  kind: "audio",
  batch: 1,
  channels: 1,
  length: 4_800,
  sampleRate: 48_000,
  data: new Float32Array(4_800),
};

test("the embedded graph names files as an application does, with every member of the submission's extra data beside it", () => {
  const texts = embeddedTexts(given);
  assertWhole(texts, "texts");
  assert.deepEqual([...texts.keys()], ["prompt", "workflow", "note"]);
});

test("pictures and latents carry the editor's graph, however long it is", async () => {
  const chunks = (png: Buffer, type: string) => {
    const found = new Map<string, string>();
    for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
      const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
      if (png.toString("latin1", at + 4, at + 8) !== type) continue;
      const [name = "", text = ""] = data.toString("latin1").split("\0");
      found.set(name, text);
    }
    return found;
  };
  assertWhole(chunks(await saved("SaveImage", { images: picture(2, 2) }), "tEXt"), "PNG");
  assertWhole(chunks(await saved("PreviewImage", { images: picture(2, 2) }), "tEXt"), "preview");
  const moving = { images: picture(2, 2, { batch: 2 }), fps: 6, compress_level: 4 };
  assertWhole(chunks(await saved("SaveAnimatedPNG", moving), "comf"), "APNG");
  const webp = await saved("SaveAnimatedWEBP", { ...moving, lossless: true, quality: 80, method: "default" });
  const { exif, pages } = await sharp(webp).metadata();
  assert.equal(pages, 2);
  assertWhole(exifTexts(exif ?? Buffer.alloc(0)), "WEBP");
  const latent = { kind: "latent", shape: [1, 4, 1, 1], data: new Float32Array(4) };
  const file = await saved("SaveLatent", { samples: latent });
  const header = JSON.parse(file.toString("utf8", 8, 8 + Number(file.readBigUInt64LE(0))));
  assertWhole(new Map(Object.entries(header.__metadata__)), "latent");
});

// Reads tag by tag, like any EXIF reader.
function exifTexts(block: Buffer): Map<string, string> {
  const exif = block.toString("latin1", 0, 4) === "Exif" ? block.subarray(6) : block;
  const start = exif.readUInt32LE(4);
  const tags = Array.from({ length: exif.readUInt16LE(start) }, (_, at) => {
    const entry = start + 2 + at * 12;
    const offset = exif.readUInt32LE(entry + 8);
    const text = exif.toString("latin1", offset, offset + exif.readUInt32LE(entry + 4) - 1);
    return { tag: exif.readUInt16LE(entry), text };
  });
  assert.deepEqual(
    tags.map(({ tag }) => tag),
    [0x010e, 0x010f, 0x0110],
    "in rising order, the graph where the application has it",
  );
  return new Map(tags.map(({ text }) => [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)]));
}

test("sounds and videos carry the editor's graph, however long it is", { skip }, async () => {
  const films = { images: picture(16, 16, { batch: 3 }), codec: "vp9", fps: 6, crf: 32 };
  const clip = { kind: "video", frames: picture(16, 16, { batch: 3 }), framesPerSecond: 6, sound };
  const cases: readonly [string, Readonly<Record<string, unknown>>][] = [
    ["SaveAudio", { audio: sound }],
    ["PreviewAudio", { audio: sound }],
    ["SaveAudioMP3", { audio: sound, quality: "V0" }],
    ["SaveAudioOpus", { audio: sound, quality: "64k" }],
    ["SaveWEBM", films],
    ["SaveVideo", { video: clip, format: "mp4", codec: "h264" }],
  ];
  for (const [name, inputs] of cases) {
    const path = join(folder, name);
    await writeFile(path, await saved(name, inputs));
    const words = ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "json", path];
    const { stdout } = await promisify(execFile)(ffprobe ?? "", words, { maxBuffer: 4 * 1024 ** 2 });
    const { format, streams } = JSON.parse(stdout);
    const tags = { ...streams?.[0]?.tags, ...format?.tags };
    assertWhole(new Map(Object.entries<string>(tags).map(([key, text]) => [key.toLowerCase(), text])), name);
  }
});

test("a file with another editor's graph is made again, and nothing before it", async () => {
  const cache = new ResultCache(64 * 1024 ** 2);
  const small = {
    "1": { class_type: "EmptyImage", inputs: { width: 4, height: 4, batch_size: 1, color: 5 } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "a" } },
  };
  const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("latin1");
  await runGraph(small, { cache });
  const second = await runGraph(small, { cache, pngInfo: { workflow: { nodes: [1] } } });
  assert.deepEqual(second.ran, ["2"]);
  assert.match(textOf(second.saved[0]?.bytes), /workflow\0\{"nodes": \[1\]\}/);
  const third = await runGraph(small, { cache, pngInfo: { workflow: { nodes: [1] } } });
  assert.deepEqual(third.ran, []);
});

test("every picture of SaveImageWebsocket is sent whole, as PNG and in order", async () => {
  const images = picture(70, 600, { batch: 3 });
  const context = testContext();
  await runClass("SaveImageWebsocket", { images }, context);
  assert.deepEqual(
    context.saved.map((file) => [file.name, file.folder]),
    [1, 2, 3].map((number) => [`shown_0000${number}_.png`, "shown"]),
  );
  for (const [at, { bytes }] of context.saved.entries()) {
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height, info.format], [70, 600, "raw"]);
    const wanted = Math.floor(Math.fround((images.data[at * 70 * 600 * 3] ?? 0) * 255));
    assert.equal(data[0], wanted);
  }
});
