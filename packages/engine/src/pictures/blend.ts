// The six blend modes. Every step is rounded to 32 bits, as the application computes: on saving, a colour that falls
// just short of a level becomes the level below, so a whole flat area would differ by one otherwise.
export const blendModes = ["normal", "multiply", "screen", "overlay", "soft_light", "difference"] as const;
export type BlendMode = (typeof blendModes)[number];

const f = Math.fround;

type Mix = (one: number, two: number) => number;

const mixes: Readonly<Record<BlendMode, Mix>> = {
  normal: (_one, two) => two,
  multiply: (one, two) => f(one * two),
  screen: (one, two) => f(1 - f(f(1 - one) * f(1 - two))),
  overlay: (one, two) => (one <= 0.5 ? f(f(2 * one) * two) : f(1 - f(f(2 * f(1 - one)) * f(1 - two)))),
  soft_light: (one, two) =>
    two <= 0.5
      ? f(one - f(f(f(1 - f(2 * two)) * one) * f(1 - one)))
      : f(one + f(f(f(2 * two) - 1) * f(softened(one) - one))),
  difference: (one, two) => f(one - two),
};

function softened(x: number): number {
  return x <= 0.25 ? f(f(f(f(f(16 * x) - 12) * x) + 4) * x) : f(Math.sqrt(x));
}

// `two` is repeated if it is shorter: one picture may blend with a whole batch.
export function blendInto(
  out: Float32Array,
  one: Float32Array,
  two: Float32Array,
  factor: number,
  mode: BlendMode,
): void {
  const keep = f(1 - factor);
  const take = f(factor);
  const mix = mixes[mode];
  for (let at = 0, from = 0; at < out.length; at++, from++) {
    if (from === two.length) from = 0;
    const first = one[at] ?? 0;
    const mixed = f(f(first * keep) + f(mix(first, two[from] ?? 0) * take));
    out[at] = mixed < 0 ? 0 : mixed > 1 ? 1 : mixed;
  }
}
