// What saved files contain, as seen by common tools.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { picture, runClass, testContext } from "../../test/support/run-class.ts";
import { runGraph } from "../../test/support/run-graph.ts";
import { ResultCache } from "../execution/result-cache.ts";
import { findTool } from "../files/ffmpeg.ts";
import { decodedClip } from "../files/media.ts";
import type { Sound } from "../pictures/picture.ts";

const run = promisify(execFile);
const [ffmpeg, ffprobe] = [findTool("ffmpeg"), findTool("ffprobe")];
const skip = ffmpeg && ffprobe ? false : "ffmpeg is not installed: video and lossy sound are not tried";
const folder = await mkdtemp(join(tmpdir(), "atelier-media-test-"));
after(() => rm(folder, { recursive: true, force: true }));

async function tool(path: string | null, words: readonly string[]): Promise<string> {
  assert.ok(path);
  const { stdout } = await run(path, ["-v", "error", ...words]);
  return stdout;
}

// A second of pictures and sound with the given codecs.
async function aFile(name: string, codecs: readonly string[]): Promise<string> {
  const path = join(folder, name);
  const inputs = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=24:d=1", "-f", "lavfi", "-i", "sine=r=48000:d=1"];
  await tool(ffmpeg, [...inputs, "-pix_fmt", "yuv420p", ...codecs, "-y", path]);
  return path;
}

const packetsOf = (path: string) =>
  tool(ffmpeg, ["-i", path, "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "streamhash", "-"]);
const entryOf = async (path: string, entry: string) =>
  (await tool(ffprobe, ["-select_streams", "v:0", "-show_entries", entry, "-of", "csv=p=0", path])).trim();

async function saved(name: string, inputs: Readonly<Record<string, unknown>>): Promise<string> {
  const context = testContext({ graph: { "1": { class_type: name, inputs: {} } } });
  await runClass(name, { filename_prefix: "a", ...inputs }, context);
  const [file] = context.saved;
  assert.ok(file);
  const path = join(folder, `saved-${file.name}`);
  await writeFile(path, file.bytes);
  return path;
}

async function loaded(path: string) {
  const [clip] = await runClass("LoadVideo", { file: "a" }, testContext({ file: async () => path }));
  assert.ok(typeof clip === "object" && clip.kind === "video");
  return clip;
}

async function decoded(path: string) {
  return decodedClip(await loaded(path), testContext());
}

const auto = { format: "auto", codec: "auto" };

test("a loaded video is saved unchanged: H.264 and VP9 are copied packet by packet", { skip }, async () => {
  for (const [name, codecs] of [
    ["a.mp4", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"]],
    ["b.webm", ["-c:v", "libvpx-vp9", "-c:a", "libopus"]],
  ] as const) {
    const source = await aFile(name, codecs);
    const path = await saved("SaveVideo", { video: await loaded(source), ...auto });
    assert.equal(await packetsOf(path), await packetsOf(source), name);
    const tags = await tool(ffprobe, ["-show_entries", "format_tags=prompt", "-of", "csv=p=0", path]);
    assert.match(tags, /SaveVideo/, "the graph is in the file");
  }
});

test("a video is encoded again for another codec, or when MP4 cannot hold its streams", {
  skip,
}, async () => {
  const vp9 = await loaded(await aFile("c.webm", ["-c:v", "libvpx-vp9", "-c:a", "libopus"]));
  const requested = await saved("SaveVideo", { video: vp9, format: "mp4", codec: "h264" });
  assert.equal(await entryOf(requested, "stream=codec_name"), "h264");
  const raw = await loaded(await aFile("d.avi", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"]));
  assert.equal(await entryOf(await saved("SaveVideo", { video: raw, ...auto }), "stream=codec_name"), "h264");
});

test("a loaded video can be copied in every job, even when its results are cached", { skip }, async () => {
  const source = await aFile("e.mp4", ["-c:v", "libx264", "-c:a", "aac"]);
  const files = { "e.mp4": await readFile(source) };
  const graph = (prefix: string) => ({
    "1": { class_type: "LoadVideo", inputs: { file: "e.mp4" } },
    "2": { class_type: "SaveVideo", inputs: { video: ["1", 0], filename_prefix: prefix, ...auto } },
  });
  const cache = new ResultCache(64 * 1024 ** 2);
  for (const prefix of ["one", "two"]) {
    const { result, saved: outputs } = await runGraph(graph(prefix), { cache, files });
    assert.equal(result.status, "succeeded", JSON.stringify(result));
    const path = join(folder, `${prefix}.mp4`);
    await writeFile(path, outputs[0]?.bytes ?? "");
    assert.equal(await packetsOf(path), await packetsOf(source));
  }
});

test("AV1 has ten bits, VP9 eight", { skip }, async () => {
  const images = picture(64, 64, { batch: 3 });
  for (const [codec, layout] of [
    ["av1", "yuv420p10le"],
    ["vp9", "yuv420p"],
  ]) {
    assert.equal(await entryOf(await saved("SaveWEBM", { images, codec, fps: 6, crf: 30 }), "stream=pix_fmt"), layout);
  }
});

function tone(seconds: number, sampleRate = 44_100): Sound {
  const length = seconds * sampleRate;
  const data = Float32Array.from({ length: length * 2 }, (_, at) => 0.5 * Math.sin(((at % length) * 440) / 7018));
  return { kind: "audio", batch: 1, channels: 2, length, sampleRate, data };
}

test("the sound of a saved video ends with its last frame", { skip }, async () => {
  const video = { kind: "video", frames: picture(64, 48, { batch: 24 }), framesPerSecond: 24, sound: tone(3) };
  const path = await saved("SaveVideo", { video, ...auto });
  const printed = await tool(ffprobe, [
    "-select_streams",
    "a:0",
    "-show_entries",
    "stream=duration_ts",
    "-of",
    "csv=p=0",
    path,
  ]);
  assert.equal(printed.trim(), "44100");
  // Whole blocks of the codec, without its initial one.
  assert.equal((await decoded(path)).sound?.length, 45_056);
});

test("an MP3 file says where its sound begins and ends: it has exactly the saved samples", { skip }, async () => {
  for (const quality of ["V0", "128k", "320k"]) {
    const path = await saved("SaveAudioMP3", { audio: tone(1), quality });
    const [sound] = await runClass("LoadAudio", { audio: "a" }, testContext({ file: async () => path }));
    assert.ok(typeof sound === "object" && sound.kind === "audio");
    assert.equal(sound.length, 44_100, quality);
  }
});

test("an Opus file has exactly the saved samples, at a rate that the codec knows", {
  skip,
}, async () => {
  for (const [from, to] of [
    [16_000, 16_000],
    [44_100, 48_000],
    [96_000, 48_000],
    [11_025, 12_000],
  ] as const) {
    const one = { ...tone(1), sampleRate: from };
    const context = testContext();
    await runClass("SaveAudioOpus", { audio: one, filename_prefix: "a/b", quality: "96k" }, context);
    const [file] = context.saved;
    assert.ok(file);
    assert.deepEqual([file.name, file.kind, file.contentType], ["b_00001_.opus", "audio", "audio/ogg"]);
    const path = join(folder, `${from}.opus`);
    await writeFile(path, file.bytes);
    const [sound] = await runClass("LoadAudio", { audio: "a" }, testContext({ file: async () => path }));
    assert.ok(typeof sound === "object" && sound.kind === "audio");
    // Read back, it always has 48,000 samples per second, whatever went in.
    const length = Math.ceil((one.length * to) / from);
    assert.deepEqual([sound.sampleRate, sound.channels, sound.length], [48_000, one.channels, (length * 48_000) / to]);
  }
});

test("better quality makes a larger Opus file, and every sound of a batch has its own file", { skip }, async () => {
  const sizes: number[] = [];
  const one = tone(1);
  const audio = { ...one, batch: 2, data: Float32Array.from([...one.data, ...one.data]) };
  for (const quality of ["64k", "96k", "128k", "192k", "320k"]) {
    const context = testContext();
    await runClass("SaveAudioOpus", { audio, filename_prefix: "x", quality }, context);
    assert.deepEqual(
      context.saved.map((file) => file.name),
      ["x_00001_.opus", "x_00002_.opus"],
    );
    sizes.push(context.saved[0]?.bytes.length ?? 0);
  }
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => a - b),
  );
});

test("a codec's padding is dropped where the application's 0.30 drops it", {
  skip,
}, async () => {
  const lengthOf = async (path: string, profile: "0.7" | "0.30") => {
    const [sound] = await runClass("LoadAudio", { audio: "a" }, testContext({ profile, file: async () => path }));
    assert.ok(typeof sound === "object" && sound.kind === "audio");
    return sound.length;
  };
  // As the application's video library reads them: both versions, number of samples.
  const expected = [
    ["aac", ["-c:a", "aac"], 35_840, 35_040],
    ["mp3", ["-c:a", "libmp3lame"], 35_759, 35_040],
    ["opus", ["-c:a", "libopus", "-strict", "-2"], 35_208, 35_208],
  ] as const;
  for (const [name, words, older, newer] of expected) {
    const path = join(folder, `sound-${name}.mp4`);
    await tool(ffmpeg, ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=0.73", ...words, "-y", path]);
    assert.deepEqual([await lengthOf(path, "0.7"), await lengthOf(path, "0.30")], [older, newer], name);
  }
});
