// The Porter-Duff operators and their kin on premultiplied colours. Here alpha is alpha; the masks that come in and go
// out are 1 − alpha.
type Colour = (s: number, sa: number, d: number, da: number) => number;
type Alpha = (sa: number, da: number) => number;

const clamped = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);
const union: Alpha = (sa, da) => sa + da - sa * da;

export interface PorterDuffMode {
  readonly alpha: Alpha;
  readonly colour: Colour;
}

export const porterDuffModes: Readonly<Record<string, PorterDuffMode>> = {
  ADD: { alpha: (sa, da) => clamped(sa + da), colour: (s, _sa, d) => clamped(s + d) },
  CLEAR: { alpha: () => 0, colour: () => 0 },
  DARKEN: { alpha: union, colour: (s, sa, d, da) => (1 - da) * s + (1 - sa) * d + Math.min(s, d) },
  DST: { alpha: (_sa, da) => da, colour: (_s, _sa, d) => d },
  DST_ATOP: { alpha: (sa) => sa, colour: (s, sa, d, da) => sa * d + (1 - da) * s },
  DST_IN: { alpha: (sa, da) => sa * da, colour: (_s, sa, d) => d * sa },
  DST_OUT: { alpha: (sa, da) => (1 - sa) * da, colour: (_s, sa, d) => (1 - sa) * d },
  DST_OVER: { alpha: (sa, da) => da + (1 - da) * sa, colour: (s, _sa, d, da) => d + (1 - da) * s },
  LIGHTEN: { alpha: union, colour: (s, sa, d, da) => (1 - da) * s + (1 - sa) * d + Math.max(s, d) },
  MULTIPLY: { alpha: (sa, da) => sa * da, colour: (s, _sa, d) => s * d },
  OVERLAY: {
    alpha: union,
    colour: (s, sa, d, da) => (2 * d < da ? 2 * s * d : sa * da - 2 * (da - s) * (sa - d)),
  },
  SCREEN: { alpha: union, colour: (s, _sa, d) => s + d - s * d },
  SRC: { alpha: (sa) => sa, colour: (s) => s },
  SRC_ATOP: { alpha: (_sa, da) => da, colour: (s, sa, d, da) => da * s + (1 - sa) * d },
  SRC_IN: { alpha: (sa, da) => sa * da, colour: (s, _sa, _d, da) => s * da },
  SRC_OUT: { alpha: (sa, da) => (1 - da) * sa, colour: (s, _sa, _d, da) => (1 - da) * s },
  SRC_OVER: { alpha: (sa, da) => sa + (1 - sa) * da, colour: (s, sa, d) => s + (1 - sa) * d },
  XOR: { alpha: (sa, da) => (1 - da) * sa + (1 - sa) * da, colour: (s, sa, d, da) => (1 - da) * s + (1 - sa) * d },
};

export interface Layer {
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
    const sa = 1 - (source.mask[pixel] ?? 0);
    const da = 1 - (destination.mask[pixel] ?? 0);
    const alpha = mode.alpha(sa, da);
    out.mask[pixel] = 1 - alpha;
    for (let at = pixel * channels; at < (pixel + 1) * channels; at++) {
      const colour = mode.colour((source.colours[at] ?? 0) * sa, sa, (destination.colours[at] ?? 0) * da, da);
      out.colours[at] = alpha > 1e-5 ? clamped(colour / alpha) : 0;
    }
  }
}
