import assert from "node:assert/strict";
import { test } from "node:test";
import { samplesPerSecond, speak, voiceSeconds } from "./voice.ts";

const spoken = (prompt: string, seed = "1") => Buffer.from(speak({ prompt, seed }));

test("the WAV header matches the bytes: 16-bit PCM, mono, with true lengths", () => {
  const wav = spoken("hello there");
  assert.equal(wav.toString("latin1", 0, 4), "RIFF");
  assert.equal(wav.readUInt32LE(4), wav.length - 8);
  assert.equal(wav.toString("latin1", 8, 16), "WAVEfmt ");
  assert.deepEqual(
    [wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt32LE(28)],
    [1, 1, samplesPerSecond, samplesPerSecond * 2],
  );
  assert.deepEqual([wav.readUInt16LE(32), wav.readUInt16LE(34)], [2, 16]);
  assert.equal(wav.toString("latin1", 36, 40), "data");
  assert.equal(wav.readUInt32LE(40), wav.length - 44);
});

test("a longer text sounds longer, within bounds", () => {
  const seconds = (wav: Buffer) => (wav.length - 44) / 2 / samplesPerSecond;
  const [short, long] = [spoken("hi"), spoken("a much longer sentence than the other")];
  assert.ok(seconds(long) > seconds(short));
  assert.ok(Math.abs(seconds(long) - voiceSeconds("a much longer sentence than the other")) < 0.001);
  assert.equal(voiceSeconds("x".repeat(4000)), 60);
  assert.equal(voiceSeconds("x"), 0.4);
});

test("the voice is audible, does not clip, and starts and ends in silence", () => {
  const wav = spoken("say something nice about the sea");
  const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, (wav.length - 44) / 2);
  const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  assert.ok(loudness > 800, String(loudness));
  assert.ok(samples.every((sample) => Math.abs(sample) < 32767));
  assert.ok(Math.abs(samples[0] ?? 1) < 10 && Math.abs(samples.at(-1) ?? 1) < 10);
});

test("the same text and seed sound the same; another seed sounds different", () => {
  assert.deepEqual(spoken("again", "7"), spoken("again", "7"));
  assert.notDeepEqual(spoken("again", "7"), spoken("again", "8"));
});
