import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { lots, picture, runClass, testContext } from "../../../test/support/run-class.ts";
import { encodeFlac } from "../../files/flac.ts";
import { readLatent, writeLatent } from "../../files/safetensors.ts";
import type { Latent, Sound } from "../../pictures/picture.ts";

const folder = await mkdtemp(join(tmpdir(), "atelier-engine-test-"));
after(() => rm(folder, { recursive: true, force: true }));

function sound(length: number, channels: number): Sound {
  const draw = lots(3);
  const data = Float32Array.from({ length: length * channels }, () => draw() * 2 - 1);
  return { kind: "audio", batch: 1, channels, length, sampleRate: 8000, data };
}

test("silence has as many samples as its length says", async () => {
  const [value] = await runClass("EmptyAudio", { duration: 1.5, sample_rate: 8000, channels: 2 });
  assert.ok(typeof value === "object" && value.kind === "audio");
  assert.deepEqual([value.length, value.channels, value.sampleRate, value.data.length], [12000, 2, 8000, 24000]);
});

// Decodes what was written, by the format's own rules: headers, block sizes, subframes, and the checksum over all samples.
function readFlac(file: Buffer) {
  assert.equal(file.toString("latin1", 0, 4), "fLaC");
  const info = file.subarray(8, 42);
  const packed = info.readBigUInt64BE(10);
  const channels = Number((packed >> 41n) & 7n) + 1;
  const total = Number(packed & (2n ** 36n - 1n));
  let at = 42 + 4 + file.readUIntBE(43, 3);
  const samples: number[] = [];
  while (at < file.length) {
    assert.equal(file.readUInt16BE(at), 0xfff8);
    const isWhole = file[at + 2] === 0xc0;
    let head = at + 4;
    const first = file[head] ?? 0;
    head += first < 0x80 ? 1 : Math.clz32(~(first << 24));
    const count = isWhole ? 4096 : file.readUInt16BE(head) + 1;
    head += (isWhole ? 0 : 2) + 1;
    const blocks = Array.from({ length: channels }, () => {
      const kind = file[head++];
      const read = Array.from({ length: kind === 0 ? 1 : count }, (_, index) => file.readInt16BE(head + index * 2));
      head += read.length * 2;
      return kind === 0 ? Array<number>(count).fill(read[0] ?? 0) : read;
    });
    for (let index = 0; index < count; index++) for (const block of blocks) samples.push(block[index] ?? 0);
    at = head + 2;
  }
  return { channels, total, samples, md5: info.subarray(18, 34) };
}

test("a saved sound is a FLAC file with every sample in 16 bits and the right checksum", () => {
  for (const [length, channels] of [
    [10_000, 2],
    [4096, 1],
    [1, 1],
    [600_000, 1],
  ] as const) {
    const source = sound(length, channels);
    const read = readFlac(encodeFlac(source, 0, new Map([["prompt", "{}"]])));
    assert.deepEqual([read.channels, read.total, read.samples.length], [channels, length, length * channels]);
    const wanted = Int16Array.from({ length: length * channels }, (_, at) =>
      level(source.data[(at % channels) * length + Math.floor(at / channels)] ?? 0),
    );
    assert.deepEqual(Int16Array.from(read.samples), wanted);
    assert.deepEqual(read.md5, createHash("md5").update(Buffer.from(wanted.buffer)).digest());
  }
});

// Rounds to the nearest of 65,536 levels, halves to even, like the application's encoder.
function level(value: number): number {
  const scaled = value * 32768;
  const nearest = scaled % 1 === 0.5 || scaled % 1 === -0.5 ? 2 * Math.round(scaled / 2) : Math.round(scaled);
  return Math.min(32767, Math.max(-32768, nearest));
}

test("every 16-bit sample of a WAV file comes out of its FLAC file unchanged", async () => {
  const path = join(folder, "every.wav");
  const samples = Int16Array.from({ length: 65_536 }, (_, at) => at - 32_768);
  await writeFile(path, wav(1, 1, 16, Buffer.from(samples.buffer)));
  const [value] = await runClass("LoadAudio", { audio: "a.wav" }, testContext({ file: async () => path }));
  assert.ok(typeof value === "object" && value.kind === "audio");
  assert.deepEqual(Int16Array.from(readFlac(encodeFlac(value, 0, new Map())).samples), samples);
});

test("a WAV file is read and written bit for bit: 8, 16 and 24 bits, and floats", async () => {
  const draw = lots(7);
  const byte = () => Math.floor(draw() * 256);
  const path = join(folder, "round.wav");
  // How a sample of each width is written to bytes, by the format's own rule.
  const writers: readonly [code: number, bits: number, write: (value: number, into: Buffer, at: number) => void][] = [
    [1, 8, (value, into, at) => into.writeUInt8(value * 128 + 128, at)],
    [1, 16, (value, into, at) => into.writeInt16LE(value * 2 ** 15, at)],
    [1, 24, (value, into, at) => into.writeIntLE(value * 2 ** 23, at, 3)],
    [3, 32, (value, into, at) => into.writeFloatLE(value, at)],
  ];
  for (const [code, bits, write] of writers) {
    const bytes = bits / 8;
    const [count, channels] = [3000, 2];
    const data = Buffer.from(Array.from({ length: count * channels * bytes }, byte));
    if (code === 3) for (let at = 0; at < count * channels; at++) data.writeFloatLE(draw() * 2 - 1, at * 4);
    const whole = wav(code, channels, bits, data);
    await writeFile(path, whole);
    const [value] = await runClass("LoadAudio", { audio: "a.wav" }, testContext({ file: async () => path }));
    assert.ok(typeof value === "object" && value.kind === "audio");
    const again = Buffer.alloc(data.length);
    for (let at = 0; at < count * channels; at++) {
      write(value.data[(at % channels) * count + Math.floor(at / channels)] ?? 0, again, at * bytes);
    }
    assert.ok(wav(code, channels, bits, again).equals(whole), `${bits} bits`);
  }
});

test("silence takes almost no space", () => {
  const silent: Sound = { ...sound(100_000, 2), data: new Float32Array(200_000) };
  assert.ok(encodeFlac(silent, 0, new Map()).length < 1000);
});

test("a WAV file of any bit depth is read into samples between −1 and 1", async () => {
  const path = join(folder, "a.wav");
  const read = async (wav: Buffer) => {
    await writeFile(path, wav);
    const [value] = await runClass("LoadAudio", { audio: "a.wav" }, testContext({ file: async () => path }));
    assert.ok(typeof value === "object" && value.kind === "audio");
    return value;
  };
  const two = await read(wav(1, 2, 16, Buffer.from(Int16Array.of(0, 16384, -32768, 32767).buffer)));
  assert.deepEqual([two.channels, two.length, [...two.data]], [2, 2, [0, -1, 0.5, Math.fround(32767 / 32768)]]);
  assert.deepEqual([...(await read(wav(1, 1, 8, Buffer.from([128, 0, 192])))).data], [0, -1, 0.5]);
  assert.deepEqual(
    [...(await read(wav(3, 1, 32, Buffer.from(Float32Array.of(0.25, -0.5).buffer)))).data],
    [0.25, -0.5],
  );
  await assert.rejects(read(Buffer.from("a text of more bytes than twelve")), /not a sound/);
  await assert.rejects(read(wav(2, 1, 16, Buffer.alloc(4))), /not supported/);
});

function wav(code: number, channels: number, bits: number, data: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0).toString();
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(code, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt16LE(bits, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

test("bytes that are not a WAV file never crash the reader", async () => {
  const path = join(folder, "b.wav");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const whole = Buffer.concat([Buffer.from("RIFF1234WAVEfmt "), Buffer.from(bytes)]);
      await writeFile(path, whole);
      try {
        await runClass("LoadAudio", { audio: "b.wav" }, testContext({ file: async () => path }));
      } catch (thrown) {
        assert.match(String(thrown), /NodeError/);
      }
    }),
    { numRuns: 50 },
  );
});

test("sounds are saved as outputs and previewed as temporary files", async () => {
  const context = testContext();
  await runClass("SaveAudio", { audio: sound(100, 1), filename_prefix: "audio/x" }, context);
  await runClass("PreviewAudio", { audio: sound(100, 1) }, context);
  assert.deepEqual(
    context.saved.map(({ name, subfolder, folder, kind }) => [name, subfolder, folder, kind]),
    [
      ["x_00001_.flac", "audio", "output", "audio"],
      ["Atelier_temp_1_00001_.flac", "", "temp", "audio"],
    ],
  );
});

test("a video contains its parts and returns them", async () => {
  const [frames, audio] = [picture(4, 3, { batch: 2 }), sound(10, 1)];
  const [video] = await runClass("CreateVideo", { images: frames, fps: 12, audio });
  assert.deepEqual(await runClass("GetVideoComponents", { video }), [frames, audio, 12]);
  const [mute] = await runClass("CreateVideo", { images: frames, fps: 12 });
  const [, silence] = await runClass("GetVideoComponents", { video: mute });
  assert.ok(typeof silence === "object" && silence.kind === "audio" && silence.length === 0);
});

const draw = lots(9);
const latent: Latent = {
  kind: "latent",
  shape: [2, 4, 3, 5],
  data: Float32Array.from({ length: 120 }, draw),
};
const at = (value: Latent, plane: number, x: number, y: number) =>
  value.data[(plane * (value.shape[2] ?? 0) + y) * (value.shape[3] ?? 0) + x];

test("an empty latent has an eighth of each side and four channels of zeros", async () => {
  const [value] = await runClass("EmptyLatentImage", { width: 100, height: 64, batch_size: 2 });
  assert.ok(typeof value === "object" && value.kind === "latent");
  assert.deepEqual([...value.shape, value.data.length], [2, 4, 8, 12, 768]);
});

test("latents are mirrored and turned clockwise, every channel separately", async () => {
  const [flipped] = await runClass("LatentFlip", { samples: latent, flip_method: "y-axis: horizontally" });
  const [turned] = await runClass("LatentRotate", { samples: latent, rotation: "90 degrees" });
  assert.ok(
    typeof flipped === "object" && flipped.kind === "latent" && typeof turned === "object" && turned.kind === "latent",
  );
  assert.deepEqual(turned.shape, [2, 4, 5, 3]);
  for (let plane = 0; plane < 8; plane++) {
    for (let y = 0; y < 3; y++) {
      for (let x = 0; x < 5; x++) {
        assert.equal(at(flipped, plane, 4 - x, y), at(latent, plane, x, y));
        assert.equal(at(turned, plane, 2 - y, x), at(latent, plane, x, y));
      }
    }
  }
});

test("a saved latent loads unchanged; older files are scaled; damaged ones are refused", async () => {
  const context = testContext({ graph: {} });
  await runClass("SaveLatent", { samples: latent, filename_prefix: "latents/x" }, context);
  const [file] = context.saved;
  assert.deepEqual([file?.name, file?.subfolder, file?.kind], ["x_00001_.latent", "latents", "latent"]);
  const path = join(folder, "x.latent");
  await writeFile(path, file?.bytes ?? "");
  const [value] = await runClass("LoadLatent", { latent: "x.latent" }, testContext({ file: async () => path }));
  assert.deepEqual(value, latent);
  const floats = (count: number) => new Float32Array(count);
  const old = Buffer.from(
    Buffer.from(writeLatent(latent, new Map()))
      .toString("latin1")
      .replace("latent_format_version_0", "latent_format_version_X"),
    "latin1",
  );
  assert.equal(readLatent(old, floats).data[0], Math.fround((latent.data[0] ?? 0) / 0.18215));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.throws(() => readLatent(bytes, floats), /not a readable latent/);
    }),
  );
});
