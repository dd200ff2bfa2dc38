// The Porter-Duff operators and related ones on premultiplied colours. Here alpha is alpha; the masks that come in and go out
// are 1 − alpha. Every step is rounded to 32 bits, in the application's order: whether an alpha is exactly 1 or just short of it
// decides whole pixels.
type Colour = (s: number, sa: number, d: number, da: number) => number;
type Alpha = (sa: number, da: number) => number;

const { fround } = Math;
const times = (one: number, other: number): number => fround(one * other);
const plus = (one: number, other: number): number => fround(one + other);
const minus = (one: number, other: number): number => fround(one - other);
const rest = (value: number): number => fround(1 - value);
const clamped = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

const union: Alpha = (sa, da) => minus(plus(sa, da), times(sa, da));
const both: Alpha = times;
const apart: Colour = (s, sa, d, da) => plus(times(rest(da), s), times(rest(sa), d));
const least = fround(1e-5);

interface PorterDuffMode {
  readonly alpha: Alpha;
  readonly colour: Colour;
}

export const porterDuffModes: Readonly<Record<string, PorterDuffMode>> = {
  ADD: { alpha: (sa, da) => clamped(plus(sa, da)), colour: (s, _sa, d) => clamped(plus(s, d)) },
  CLEAR: { alpha: () => 0, colour: () => 0 },
  DARKEN: { alpha: union, colour: (s, sa, d, da) => plus(apart(s, sa, d, da), Math.min(s, d)) },
  DST: { alpha: (_sa, da) => da, colour: (_s, _sa, d) => d },
  DST_ATOP: { alpha: (sa) => sa, colour: (s, sa, d, da) => plus(times(sa, d), times(rest(da), s)) },
  DST_IN: { alpha: both, colour: (_s, sa, d) => times(d, sa) },
  DST_OUT: { alpha: (sa, da) => times(rest(sa), da), colour: (_s, sa, d) => times(rest(sa), d) },
  DST_OVER: {
    alpha: (sa, da) => plus(da, times(rest(da), sa)),
    colour: (s, _sa, d, da) => plus(d, times(rest(da), s)),
  },
  LIGHTEN: { alpha: union, colour: (s, sa, d, da) => plus(apart(s, sa, d, da), Math.max(s, d)) },
  MULTIPLY: { alpha: both, colour: (s, _sa, d) => times(s, d) },
  OVERLAY: {
    alpha: union,
    colour: (s, sa, d, da) =>
      2 * d < da ? times(2 * s, d) : minus(times(sa, da), times(2 * minus(da, s), minus(sa, d))),
  },
  SCREEN: { alpha: union, colour: (s, _sa, d) => minus(plus(s, d), times(s, d)) },
  SRC: { alpha: (sa) => sa, colour: (s) => s },
  SRC_ATOP: { alpha: (_sa, da) => da, colour: (s, sa, d, da) => plus(times(da, s), times(rest(sa), d)) },
  SRC_IN: { alpha: both, colour: (s, _sa, _d, da) => times(s, da) },
  SRC_OUT: { alpha: (sa, da) => times(rest(da), sa), colour: (s, _sa, _d, da) => times(rest(da), s) },
  SRC_OVER: {
    alpha: (sa, da) => plus(sa, times(rest(sa), da)),
    colour: (s, sa, d) => plus(s, times(rest(sa), d)),
  },
  XOR: { alpha: (sa, da) => plus(times(rest(da), sa), times(rest(sa), da)), colour: apart },
};

interface Layer {
  readonly colours: Float32Array;
  // 1 − alpha
  readonly mask: Float32Array;
}

export function composeLayers(
  source: Layer,
  destination: Layer,
  out: Layer,
  channels: number,
  mode: PorterDuffMode,
): void {
  for (let pixel = 0; pixel < out.mask.length; pixel++) {
    const sa = rest(source.mask[pixel] ?? 0);
    const da = rest(destination.mask[pixel] ?? 0);
    const alpha = mode.alpha(sa, da);
    out.mask[pixel] = 1 - alpha;
    for (let at = pixel * channels; at < (pixel + 1) * channels; at++) {
      const s = times(source.colours[at] ?? 0, sa);
      const d = times(destination.colours[at] ?? 0, da);
      out.colours[at] = alpha > least ? clamped(fround(mode.colour(s, sa, d, da) / alpha)) : 0;
    }
  }
}
