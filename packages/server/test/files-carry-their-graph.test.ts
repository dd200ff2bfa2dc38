// What the engine saves can be run again: each file contains the graph that made it, and that graph makes the same file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Graph, openEnginePool } from "@atelier/engine";
import { graphInFile } from "@atelier/sdk";

const hasEncoder = (() => {
  try {
    execFileSync("ffmpeg", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
const pictures = ["1", 0];
const sound = ["2", 0];

const sources: Graph = {
  "1": node("EmptyImage", { width: 32, height: 16, batch_size: 3, color: 0x336699 }),
  "2": node("EmptyAudio", { duration: 0.25, sample_rate: 44100, channels: 2 }),
  // Beyond what a plain number can represent.
  seed: node("PrimitiveInt", { value: Number.MAX_SAFE_INTEGER }),
};
const sinks: Graph = {
  "12:3": node("SaveImage", { images: pictures, filename_prefix: "grün" }),
  apng: node("SaveAnimatedPNG", { images: pictures, filename_prefix: "a", fps: 6, compress_level: 4 }),
  webp: node("SaveAnimatedWEBP", {
    images: pictures,
    filename_prefix: "w",
    fps: 6,
    lossless: true,
    quality: 80,
    method: "default",
  }),
  flac: node("SaveAudio", { audio: sound, filename_prefix: "f" }),
};
const encoded: Graph = {
  mp3: node("SaveAudioMP3", { audio: sound, filename_prefix: "m", quality: "V0" }),
  opus: node("SaveAudioOpus", { audio: sound, filename_prefix: "o", quality: "128k" }),
  clip: node("CreateVideo", { images: pictures, fps: 8 }),
  mp4: node("SaveVideo", { video: ["clip", 0], filename_prefix: "v", format: "auto", codec: "auto" }),
  webm: node("SaveWEBM", { images: pictures, filename_prefix: "e", codec: "vp9", fps: 8, crf: 32 }),
};

test("every kind of saved file carries its graph, and running that graph makes the file again", async () => {
  const scratchDirectory = await mkdtemp(join(tmpdir(), "atelier-carried-"));
  const pool = openEnginePool({ size: 1, scratchDirectory });
  const run = async (id: string, graph: Graph) => {
    const files = new Map<string, Buffer>();
    const result = await pool.run(
      { id, graph },
      {
        readAsset: async () => assert.fail("no file was given"),
        callModel: async () => assert.fail("no model was given"),
        saveOutput: async ({ name, path }) => void files.set(name, await readFile(path)),
        onEvent: () => undefined,
      },
    );
    assert.equal(result.status, "succeeded", JSON.stringify(result));
    return files;
  };
  try {
    const graph: Graph = { ...sources, ...sinks, ...(hasEncoder ? encoded : {}) };
    const first = await run("first", graph);
    const kinds = new Set([...first.keys()].map((name) => name.split(".").at(-1)));
    assert.deepEqual(
      [...kinds].sort(),
      hasEncoder ? ["flac", "mp3", "mp4", "opus", "png", "webm", "webp"] : ["flac", "png", "webp"],
    );
    for (const [name, bytes] of first) {
      const found = await graphInFile(bytes);
      assert.deepEqual(found?.prompt, graph, name);
      assert.equal(found?.workflow, undefined);
    }
    const carried = await graphInFile(
      first.get([...first.keys()].find((name) => name.endsWith(".png")) ?? "") ?? Buffer.alloc(0),
    );
    const again = await run("again", Object(carried?.prompt));
    assert.deepEqual([...again.keys()].sort(), [...first.keys()].sort());
    for (const [name, bytes] of first) {
      // Video containers record when they were written.
      if (/\.(webp|png|flac)$/.test(name)) assert.ok(again.get(name)?.equals(bytes), name);
    }
  } finally {
    await pool.close();
    await rm(scratchDirectory, { recursive: true, force: true });
  }
});
