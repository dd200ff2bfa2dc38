// Runs one class on its own with hand-made values, and compares pictures as they would be saved.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultProfile } from "../../src/application-profile.ts";
import { classTableOf } from "../../src/classes/class-table.ts";
import { Budget } from "../../src/execution/budget.ts";
import { Inputs } from "../../src/execution/inputs.ts";
import type { NodeContext, OutputFile } from "../../src/execution/node-runner.ts";
import type { Mask, Picture, Value } from "../../src/pictures/picture.ts";

interface TestContext extends NodeContext {
  readonly saved: OutputFile[];
  readonly previews: Picture[];
}

export function testContext(overrides: Partial<NodeContext> = {}): TestContext {
  const budget = new Budget(1024 ** 3);
  const saved: OutputFile[] = [];
  const previews: Picture[] = [];
  const counters = new Map<string, number>();
  return {
    saved,
    previews,
    nodeId: "1",
    jobId: "job",
    graph: {},
    pngInfo: null,
    pixelsMax: 16384 * 16384,
    inputBytesMax: 1024 ** 3,
    profile: defaultProfile,
    floats: (count, what) => budget.floats(count, what),
    image: (batch, height, width, channels) => ({
      kind: "image",
      batch,
      height,
      width,
      channels,
      data: budget.floats(batch * height * width * channels, "A picture"),
    }),
    mask: (batch, height, width) => ({
      kind: "mask",
      batch,
      height,
      width,
      data: budget.floats(batch * height * width, "A mask"),
    }),
    expect: (bytes, what) => budget.expect(bytes, what),
    breathe: async () => {},
    file: async () => assert.fail("no file was given"),
    scratch: () => join(tmpdir(), `atelier-scratch-${randomUUID()}`),
    callModel: async () => assert.fail("no model was given"),
    save: async (file) => {
      saved.push(file);
    },
    nextCounter(folder, prefix, subfolder) {
      const key = [folder, prefix, subfolder].join("|");
      counters.set(key, (counters.get(key) ?? 0) + 1);
      return counters.get(key) ?? 0;
    },
    preview: async (picture) => {
      previews.push(picture);
    },
    now: () => new Date(2026, 2, 4, 5, 6, 7),
    ...overrides,
  };
}

export async function runClass(
  name: string,
  inputs: Readonly<Record<string, unknown>>,
  context: NodeContext = testContext(),
): Promise<Value[]> {
  const runner = classTableOf(context.profile).get(name);
  assert.ok(runner, `${name} is a class`);
  return runner.run(new Inputs(new Map(Object.entries(inputs)), runner.description.inputs), context);
}

export async function runForImage(name: string, inputs: Readonly<Record<string, unknown>>): Promise<Picture> {
  const [value] = await runClass(name, inputs);
  assert.ok(typeof value === "object" && value.kind === "image");
  return value;
}

export async function runForMask(name: string, inputs: Readonly<Record<string, unknown>>): Promise<Mask> {
  const [value] = await runClass(name, inputs);
  assert.ok(typeof value === "object" && value.kind === "mask");
  return value;
}

// Pseudo-random numbers, the same in every run.
export function lots(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// A picture of whole levels, as read from a file; or of any values between 0 and 1, so that no formula lands exactly on
// the edge between two levels.
export function picture(
  width: number,
  height: number,
  options: { seed?: number; channels?: number; batch?: number; isSmooth?: boolean } = {},
): Picture {
  const { seed = 1, channels = 3, batch = 1, isSmooth = false } = options;
  const draw = lots(seed);
  const level = isSmooth ? draw : () => Math.floor(draw() * 256) / 255;
  const data = Float32Array.from({ length: batch * width * height * channels }, level);
  return { kind: "image", batch, height, width, channels, data };
}

export function maskOf(width: number, height: number, options: { seed?: number; batch?: number } = {}): Mask {
  const { seed = 1, batch = 1 } = options;
  const draw = lots(seed);
  const data = Float32Array.from({ length: batch * width * height }, () => Math.floor(draw() * 256) / 255);
  return { kind: "mask", batch, height, width, data };
}

export function pixel(value: Picture | Mask, x: number, y: number, channel = 0, index = 0): number {
  const channels = value.kind === "image" ? value.channels : 1;
  assert.ok(x >= 0 && y >= 0 && x < value.width && y < value.height, `${x},${y} is inside`);
  return value.data[((index * value.height + y) * value.width + x) * channels + channel] ?? Number.NaN;
}

type Formula = (x: number, y: number, channel: number, index: number) => number;

// Our tolerance: at most one level off, on at most half a percent of the samples.
export function assertPicture(
  actual: Picture | Mask,
  size: { width: number; height: number; batch?: number },
  formula: Formula,
): void {
  const channels = actual.kind === "image" ? actual.channels : 1;
  assert.deepEqual([actual.width, actual.height, actual.batch], [size.width, size.height, size.batch ?? 1]);
  assert.equal(actual.data.length, actual.width * actual.height * actual.batch * channels);
  let off = 0;
  for (let index = 0; index < actual.batch; index++) {
    for (let y = 0; y < actual.height; y++) {
      for (let x = 0; x < actual.width; x++) {
        for (let channel = 0; channel < channels; channel++) {
          const got = savedLevel(pixel(actual, x, y, channel, index));
          const wanted = savedLevel(formula(x, y, channel, index));
          if (got === wanted) continue;
          off += 1;
          assert.ok(Math.abs(got - wanted) <= 1, `at ${x},${y} channel ${channel}: ${got}, not ${wanted}`);
        }
      }
    }
  }
  assert.ok(off <= actual.data.length * 0.005, `${off} of ${actual.data.length} samples are off by one`);
}

// Multiplies in 32 bits, clips and truncates.
function savedLevel(value: number): number {
  const scaled = new Float32Array([Math.fround(value) * 255])[0] ?? 0;
  return Math.min(255, Math.max(0, Math.floor(scaled)));
}
