import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { picture, runClass, testContext } from "../../../test/support/run-class.ts";
import type { ApplicationProfile } from "../../application-profile.ts";
import { openEnginePool } from "../../engine-pool.ts";
import { Canceled } from "../../execution/node-error.ts";
import { findTool, frameWords, needTool } from "../../files/ffmpeg.ts";
import { decodedClip } from "../../files/media.ts";
import { formatOf } from "../../files/probe-media.ts";
import type { DecodedClip, Picture, Sound } from "../../pictures/picture.ts";

const isInstalled = findTool("ffmpeg") !== null && findTool("ffprobe") !== null;
const skip = isInstalled ? false : "ffmpeg is not installed: video and lossy sound are not tried";
const folder = await mkdtemp(join(tmpdir(), "atelier-videos-test-"));
after(() => rm(folder, { recursive: true, force: true }));

// A different grey per frame, so that order and count survive lossy encoding.
function greys(width: number, height: number, batch: number): Picture {
  const size = width * height * 3;
  const data = Float32Array.from({ length: size * batch }, (_, at) => (Math.floor(at / size) + 1) / (batch + 2));
  return { kind: "image", batch, height, width, channels: 3, data };
}

function tone(seconds: number): Sound {
  const [sampleRate, channels] = [16_000, 2];
  const length = seconds * sampleRate;
  const data = Float32Array.from(
    { length: length * channels },
    (_, at) => 0.5 * Math.sin(((at % length) * 440) / 2546),
  );
  return { kind: "audio", batch: 1, channels, length, sampleRate, data };
}

const loudness = ({ data }: Sound) => Math.sqrt(data.reduce((sum, value) => sum + value * value, 0) / data.length);

async function made(name: string, inputs: Readonly<Record<string, unknown>>, profile: ApplicationProfile = "0.7") {
  const context = testContext({ profile });
  await runClass(name, { filename_prefix: "a/clip", ...inputs }, context);
  const [saved] = context.saved;
  assert.ok(saved);
  const path = join(folder, saved.name);
  await writeFile(path, saved.bytes);
  return { saved, path };
}

async function loadedVideo(path: string): Promise<DecodedClip> {
  const context = testContext({ file: async () => path });
  const [value] = await runClass("LoadVideo", { file: "a" }, context);
  assert.ok(typeof value === "object" && value.kind === "video");
  return decodedClip(value, context);
}

function assertGreys({ frames }: DecodedClip, wanted: Picture): void {
  assert.deepEqual([frames.batch, frames.width, frames.height], [wanted.batch, wanted.width, wanted.height]);
  const size = frames.width * frames.height * 3;
  for (let index = 0; index < frames.batch; index++) {
    const middle = frames.data[index * size + (size >> 1)] ?? 0;
    assert.ok(Math.abs(middle - (wanted.data[index * size] ?? 0)) < 0.04, `frame ${index}: ${middle}`);
  }
}

test("without ffmpeg, the message names what to install", () => {
  assert.equal(findTool("ffmpeg", [join(folder, "nowhere")]), null);
  assert.throws(() => needTool("ffmpeg", "SaveVideo", []), /SaveVideo needs ffmpeg.*apt-get install ffmpeg/);
});

test("old and new versions get their own arguments", () => {
  assert.deepEqual(frameWords("ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright"), ["-vsync", "passthrough"]);
  assert.deepEqual(frameWords("ffmpeg version 5.0.1 Copyright"), ["-vsync", "passthrough"]);
  for (const version of ["5.1.9-0+deb12u1", "n7.1", "8.0", "N-109542-g1bf1358"]) {
    assert.deepEqual(frameWords(`ffmpeg version ${version} Copyright`), ["-fps_mode", "passthrough"], version);
  }
});

test("the reader is chosen by the file's first bytes; files that reference other files have none", () => {
  for (const [start, format] of [
    ["\0\0\0\x18ftypisom", "mov"],
    ["\x1aE\xdf\xa3 matroska", "matroska"],
    ["ID3\x04 and more", "mp3"],
    ["\xff\xfb\x90\x64 more", "mp3"],
    ["fLaC and more", "flac"],
    ["#EXTM3U\nfile:///etc/passwd", null],
    ["ffconcat version 1.0\nfile /etc/passwd", null],
    ["<MPD><BaseURL>http://", null],
    ["", null],
  ] as const) {
    assert.equal(formatOf(Buffer.from(start, "latin1")), format, start);
  }
});

test("a video saved with its sound reads back: frames in order, rate, samples", { skip }, async () => {
  const frames = greys(64, 48, 8);
  const [clip] = await runClass("CreateVideo", { images: frames, fps: 8, audio: tone(1) });
  const { saved, path } = await made("SaveVideo", { video: clip, format: "auto", codec: "auto" });
  assert.deepEqual(
    [saved.name, saved.subfolder, saved.kind, saved.contentType, saved.animated],
    ["clip_00001_.mp4", "a", "video", "video/mp4", true],
  );
  const again = await loadedVideo(path);
  assertGreys(again, frames);
  assert.equal(again.framesPerSecond, 8);
  assert.ok(again.sound);
  assert.equal(again.sound.sampleRate, 16_000);
  assert.ok(Math.abs(loudness(again.sound) - loudness(tone(1))) < 0.05);
  const parts = await runClass("GetVideoComponents", { video: again });
  assert.equal(parts[2], 8);
});

test("a batch is saved as WEBM, with either codec", { skip }, async () => {
  for (const codec of ["vp9", "av1"]) {
    const frames = greys(64, 64, 4);
    const { saved, path } = await made("SaveWEBM", { images: frames, codec, fps: 6, crf: 20 });
    assert.deepEqual([saved.name, saved.contentType], ["clip_00001_.webm", "video/webm"]);
    assertGreys(await loadedVideo(path), frames);
  }
});

test("a sound is saved as MP3 at each quality, and lossy sound is read", { skip }, async () => {
  const sizes: number[] = [];
  for (const quality of ["128k", "320k", "V0"]) {
    const { saved, path } = await made("SaveAudioMP3", { audio: { ...tone(2), sampleRate: 44_100 }, quality });
    assert.deepEqual([saved.name, saved.kind, saved.contentType], ["clip_00001_.mp3", "audio", "audio/mpeg"]);
    sizes.push(saved.bytes.length);
    const [sound] = await runClass("LoadAudio", { audio: "a" }, testContext({ file: async () => path }));
    assert.ok(typeof sound === "object" && sound.kind === "audio");
    assert.deepEqual([sound.channels, sound.sampleRate], [2, 44_100]);
    assert.ok(Math.abs(loudness(sound) - loudness(tone(2))) < 0.05);
  }
  assert.ok((sizes[0] ?? 0) < (sizes[1] ?? 0));
});

test("a WEBM may have odd sides, in both codecs", { skip }, async () => {
  for (const codec of ["vp9", "av1"]) {
    const frames = greys(65, 67, 3);
    const { path } = await made("SaveWEBM", { images: frames, codec, fps: 6, crf: 20 });
    assertGreys(await loadedVideo(path), frames);
  }
});

test("a bit depth and a quality that 0.30 asks for are applied", { skip }, async () => {
  const deep = testContext({ profile: "0.30" });
  const [clip] = await runClass("CreateVideo", { images: greys(64, 48, 4), fps: 8, bit_depth: 10 }, deep);
  const saving = { video: clip, format: "auto", codec: "h264" };
  const { saved } = await made("SaveVideo", saving, "0.30");
  const path = join(folder, "deep.mp4");
  await writeFile(path, saved.bytes);
  const [loaded] = await runClass("LoadVideo", { file: "a" }, testContext({ profile: "0.30", file: async () => path }));
  assert.equal((await runClass("GetVideoComponents", { video: loaded }, deep))[3], 10);
  const noisy = { kind: "video", frames: picture(64, 48, { batch: 4 }), framesPerSecond: 8, sound: null };
  const sized = async (crf: number) => {
    const asked = { "codec.encoding": "re-encode", "codec.encoding.crf": crf };
    return (await made("SaveVideo", { ...saving, video: noisy, ...asked }, "0.30")).saved.bytes.length;
  };
  assert.ok((await sized(4)) > 2 * (await sized(44)));
  // Asking for a quality means encoding, even if the file could be copied.
  const asked = { "codec.encoding": "re-encode", "codec.encoding.crf": 44 };
  const again = await made("SaveVideo", { ...saving, video: loaded, ...asked }, "0.30");
  assert.notEqual(again.saved.bytes.length, saved.bytes.length);
});

test("odd sides, damaged files and files without pictures are refused in words", { skip }, async () => {
  const odd = { kind: "video", frames: greys(63, 48, 2), framesPerSecond: 8, sound: null };
  await assert.rejects(made("SaveVideo", { video: odd, format: "auto", codec: "auto" }), /both sides must be even/);
  const path = join(folder, "damaged.mp4");
  await writeFile(path, Buffer.concat([Buffer.from("\0\0\0\x18ftypisom"), Buffer.alloc(2000, 7)]));
  await assert.rejects(loadedVideo(path), /damaged/);
  await writeFile(path, "#EXTM3U\nfile:///etc/passwd\n");
  await assert.rejects(loadedVideo(path), /not a video/);
});

test("a video that would not fit is refused while it is unpacked", { skip }, async () => {
  const { path } = await made("SaveWEBM", { images: greys(64, 64, 4), codec: "vp9", fps: 6, crf: 20 });
  const asked: number[] = [];
  const context = testContext({
    file: async () => path,
    expect: (bytes) => {
      asked.push(bytes);
      throw new Error("too much");
    },
  });
  const [video] = await runClass("LoadVideo", { file: "a" }, context);
  assert.deepEqual(asked, []);
  await assert.rejects(runClass("GetVideoComponents", { video }, context), /too much/);
  assert.equal(asked.length, 1);
});

test("a cancellation stops the encoder", { skip }, async () => {
  const context = testContext({
    breathe: async (step) => {
      if (step > 2) throw new Canceled();
    },
  });
  const images = picture(64, 64, { batch: 20 });
  const inputs = { images, filename_prefix: "a", codec: "vp9", fps: 6, crf: 20 };
  await assert.rejects(runClass("SaveWEBM", inputs, context), Canceled);
  assert.deepEqual(childrenOf(process.pid), []);
});

const isLinux = existsSync("/proc/self/task");

test("an encoder does not outlive a killed engine", { skip: skip || !isLinux }, async () => {
  const pool = openEnginePool({ size: 1, scratchDirectory: folder });
  try {
    await pool.warm();
    const [child = 0] = pool.processIds;
    const graph = {
      "1": { class_type: "EmptyImage", inputs: { width: 256, height: 256, batch_size: 150, color: 5 } },
      "2": {
        class_type: "SaveWEBM",
        inputs: { images: ["1", 0], filename_prefix: "a", codec: "vp9", fps: 6, crf: 4 },
      },
    };
    const running = pool.run(
      { id: "long", graph },
      {
        readAsset: () => Promise.reject(new Error("there is none")),
        callModel: () => Promise.reject(new Error("there is none")),
        saveOutput: async () => {},
        onEvent: () => {},
      },
    );
    const encoders = await until(() => childrenOf(child));
    process.kill(child, "SIGKILL");
    assert.equal((await running).status, "failed");
    await until(() => (encoders.some(isRunning) ? [] : [1]));
  } finally {
    await pool.close();
  }
});

function childrenOf(id: number): number[] {
  return readdirSync(`/proc/${id}/task`).flatMap((task) => {
    const words = readFileSync(`/proc/${id}/task/${task}/children`, "utf8").split(" ");
    return words
      .filter((word) => word !== "")
      .map(Number)
      .filter(isEncoder);
  });
}

function isEncoder(id: number): boolean {
  try {
    return readFileSync(`/proc/${id}/comm`, "utf8").startsWith("ffmpeg");
  } catch {
    return false;
  }
}

function isRunning(id: number): boolean {
  return isEncoder(id) && !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
}

async function until(find: () => number[]): Promise<number[]> {
  const end = performance.now() + 60_000;
  for (;;) {
    const found = find();
    if (found.length > 0) return found;
    assert.ok(performance.now() < end, "it came true in time");
    await setTimeout(20);
  }
}
