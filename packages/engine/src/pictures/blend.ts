// The six blend modes. Every step is rounded to 32 bits, as the application computes: on saving, a colour that falls
// just short of a level becomes the level below, so a whole flat area would differ by one otherwise. Each mode has its
// own loop, because a loop that calls a function of its choice is three times slower.
export const blendModes = ["normal", "multiply", "screen", "overlay", "soft_light", "difference"] as const;
export type BlendMode = (typeof blendModes)[number];

const f = Math.fround;

type Mix = (out: Float32Array, one: Float32Array, two: Float32Array) => void;

const mixes: Readonly<Record<BlendMode, Mix>> = {
  normal: (out, _one, two) => out.set(two),
  multiply: (out, one, two) => {
    for (let at = 0; at < out.length; at++) out[at] = f((one[at] ?? 0) * (two[at] ?? 0));
  },
  screen: (out, one, two) => {
    for (let at = 0; at < out.length; at++) out[at] = f(1 - f(f(1 - (one[at] ?? 0)) * f(1 - (two[at] ?? 0))));
  },
  overlay: (out, one, two) => {
    for (let at = 0; at < out.length; at++) {
      const a = one[at] ?? 0;
      const b = two[at] ?? 0;
      out[at] = a <= 0.5 ? f(f(2 * a) * b) : f(1 - f(f(2 * f(1 - a)) * f(1 - b)));
    }
  },
  soft_light: (out, one, two) => {
    for (let at = 0; at < out.length; at++) {
      const a = one[at] ?? 0;
      const b = two[at] ?? 0;
      if (b <= 0.5) out[at] = f(a - f(f(f(1 - f(2 * b)) * a) * f(1 - a)));
      else {
        const soft = a <= 0.25 ? f(f(f(f(f(16 * a) - 12) * a) + 4) * a) : f(Math.sqrt(a));
        out[at] = f(a + f(f(f(2 * b) - 1) * f(soft - a)));
      }
    }
  },
  difference: (out, one, two) => {
    for (let at = 0; at < out.length; at++) out[at] = f((one[at] ?? 0) - (two[at] ?? 0));
  },
};

// `two` is repeated if it is shorter: one picture may blend with a whole batch.
export function blendInto(
  out: Float32Array,
  one: Float32Array,
  two: Float32Array,
  factor: number,
  mode: BlendMode,
): void {
  for (let start = 0; start < out.length; start += two.length) {
    const end = start + two.length;
    mixes[mode](out.subarray(start, end), one.subarray(start, end), two);
  }
  const keep = f(1 - factor);
  const take = f(factor);
  for (let at = 0; at < out.length; at++) {
    const mixed = f(f((one[at] ?? 0) * keep) + f((out[at] ?? 0) * take));
    out[at] = mixed < 0 ? 0 : mixed > 1 ? 1 : mixed;
  }
}
