// Brings the first frames of a latent video closer to the ones that follow: each frame gets their mean and deviation, unless
// those are too far from its own.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { int, latent, sideMax } from "../../graph/describe-inputs.ts";
import { cascadeSum, sumByStrands } from "../../pictures/cascade-sum.ts";

const { fround } = Math;
const lanes = 8;

interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

// We sum each row, then the rows' sums in order, in 32 bits; deviations are computed in 64.
function spreadOf(rows: readonly Float32Array[]): Spread {
  const count = rows.reduce((sum, row) => sum + row.length, 0);
  const total = rows.reduce((sum, row) => fround(sum + (row.length < lanes ? sumByStrands(row) : cascadeSum(row))), 0);
  const mean = fround(total / count);
  const squares = rows.reduce((sum, row) => row.reduce((inner, value) => inner + (value - mean) ** 2, sum), 0);
  return { mean, deviation: fround(Math.sqrt(squares / (count - 1))) };
}

// NaN stays NaN.
const within = (value: number, least: number, most: number): number =>
  Number.isNaN(value) ? value : Math.min(Math.max(value, fround(least)), fround(most));

const near = (wanted: Spread, own: Spread): Spread => ({
  mean: within(wanted.mean, own.mean - fround(0.3), own.mean + fround(0.35)),
  deviation: within(wanted.deviation, own.deviation - fround(0.35), own.deviation + fround(0.5)),
});

export const normalizeVideoLatentStart: NodeRunner = {
  description: {
    name: "NormalizeVideoLatentStart",
    category: "conditioning/video_models",
    description: "Matches the mean and deviation of the first frames of a video latent to the frames that follow.",
    inputs: [
      latent("latent"),
      int("start_frame_count", 4, 1, sideMax, { step: 1 }),
      int("reference_frame_count", 5, 1, sideMax, { step: 1 }),
    ],
    outputs: [{ type: "LATENT", name: "latent" }],
  },
  async run(inputs, context) {
    const source = inputs.latent("latent");
    const [batch = 0, channels = 0, frames = 0, height = 0, width = 0] = source.shape;
    if (frames <= 1) return [source];
    if (source.shape.length !== 5) throw new NodeError("This node needs a video latent.");
    const size = height * width;
    const starts = Math.min(inputs.int("start_frame_count"), frames);
    const length = Math.min(inputs.int("reference_frame_count"), frames - 1, frames - starts);
    const planes = Array.from({ length: batch * channels }, (_, plane) => plane * frames * size);
    const part = (from: number, count: number) => source.data.subarray(from, from + count * size);
    const wanted = spreadOf(planes.map((plane) => part(plane + starts * size, length)));
    const data = context.floats(source.data.length, "A latent");
    data.set(source.data);
    for (let at = 0; at < batch * starts; at++) {
      await context.breathe(at, batch * starts);
      const [film, frame] = [Math.floor(at / starts), at % starts];
      const positions = planes.slice(film * channels, (film + 1) * channels).map((plane) => plane + frame * size);
      const own = spreadOf(positions.map((position) => part(position, 1)));
      const { mean, deviation } = near(wanted, own);
      const divisor = fround(own.deviation + fround(1e-8));
      for (const position of positions) {
        for (let index = position; index < position + size; index++) {
          const value = fround(fround((source.data[index] ?? 0) - own.mean) / divisor);
          data[index] = fround(value * deviation) + mean;
        }
      }
    }
    return [{ ...source, data }];
  },
};
