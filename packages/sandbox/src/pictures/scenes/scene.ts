// What a scene paints with. `seconds` is the moment of an animation (0 for a still picture): choices come from the seed alone,
// so a scene painted at two moments shows the same landscape.
import type { Canvas } from "../canvas.ts";
import type { Noise } from "../noise.ts";
import type { Palette } from "../palette.ts";
import type { Random } from "../random.ts";
import type { Reading } from "../read-prompt.ts";

export interface Scene {
  readonly canvas: Canvas;
  readonly palette: Palette;
  readonly reading: Reading;
  readonly random: Random;
  readonly noise: Noise;
  readonly seconds: number;
}
