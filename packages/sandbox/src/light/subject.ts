// Where the subject is, and where skin is: soft masks from 0 to 1. A guess from the picture alone, good enough to treat a
// background or a face differently; edges follow the picture's own.
import { smooth } from "../pictures/colour.ts";
import { blurred, createPlane, guided, mapped, type Plane, resized } from "./plane.ts";
import { type Scenery, shown } from "./raster.ts";

const gridSide = 96;

// What differs from the border and is towards the middle.
export function subjectOf(scenery: Scenery, guide: Plane): Plane {
  const scale = gridSide / Math.max(scenery.width, scenery.height);
  const width = Math.max(8, Math.round(scenery.width * scale));
  const height = Math.max(8, Math.round(scenery.height * scale));
  const channels = [scenery.red, scenery.green, scenery.blue].map((plane) =>
    mapped(resized(plane, width, height), (value) => shown(value)),
  );
  const border = channels.map((plane) => borderStatistics(plane));
  const mask = createPlane(width, height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      let distance = 0;
      for (const [channel, plane] of channels.entries()) {
        const { means, spread } = border[channel] ?? { means: [0.5, 0.5, 0.5], spread: 1 };
        // We treat the border's left, middle and right separately: backdrops are seldom even.
        const position = (column / (width - 1)) * 2;
        const low = Math.min(1, Math.floor(position));
        const expected = (means[low] ?? 0) + ((means[low + 1] ?? 0) - (means[low] ?? 0)) * (position - low);
        distance += (((plane.values[at] ?? 0) - expected) / (spread + 0.06)) ** 2;
      }
      const x = ((column + 0.5) / width) * 2 - 1;
      const y = ((row + 0.5) / height) * 2 - 1;
      const central = Math.exp(-(x * x * 1.4 + Math.max(0, -y) ** 2 * 1.5 + Math.max(0, y) ** 2 * 0.15) * 1.1);
      mask.values[at] = (1 - Math.exp(-distance / 4)) * (0.3 + 0.7 * central) + central * 0.08;
    }
  const coarse = resized(blurred(mask, 2), scenery.width, scenery.height);
  const fine = guided(coarse, guide, Math.max(2, Math.max(scenery.width, scenery.height) / 24), 0.35);
  return mapped(fine, (value) => smooth(0.3, 0.72, value));
}

function borderStatistics(plane: Plane): { readonly means: readonly number[]; readonly spread: number } {
  const { width, height, values } = plane;
  const thick = Math.max(1, Math.round(Math.min(width, height) / 14));
  const sums = [0, 0, 0];
  const counts = [0, 0, 0];
  const seen: number[] = [];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      // The lower border usually belongs to the subject.
      const isBorder = row < thick || ((column < thick || column >= width - thick) && row < height * 0.7);
      if (!isBorder) continue;
      const value = values[row * width + column] ?? 0;
      const third = Math.min(2, Math.floor((column * 3) / width));
      sums[third] = (sums[third] ?? 0) + value;
      counts[third] = (counts[third] ?? 0) + 1;
      seen.push(value);
    }
  const mean = seen.reduce((sum, value) => sum + value, 0) / Math.max(1, seen.length);
  const variance = seen.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, seen.length);
  return {
    means: sums.map((sum, third) => ((counts[third] ?? 0) > 0 ? sum / (counts[third] ?? 1) : mean)),
    spread: Math.sqrt(variance) * 0.7,
  };
}

// Human skin of every tone is in a narrow wedge of hue; brightness says nothing.
export function skinOf(scenery: Scenery, guide: Plane): Plane {
  const { width, height, red, green, blue } = scenery;
  const mask = createPlane(width, height);
  for (let at = 0; at < mask.values.length; at++) {
    const [r, g, b] = [shown(red.values[at] ?? 0), shown(green.values[at] ?? 0), shown(blue.values[at] ?? 0)];
    const light = 0.299 * r + 0.587 * g + 0.114 * b;
    const warm = (r - light) * 0.713;
    const cool = (b - light) * 0.564;
    const distance = ((warm - 0.09 - light * 0.02) / 0.055) ** 2 + ((cool + 0.075) / 0.06) ** 2;
    mask.values[at] = Math.exp(-distance * 0.55) * smooth(0.06, 0.16, light);
  }
  // Brown hair has the hue of skin but not its brightness: a face is much brighter than the hair around it.
  const usual = weightedMean(guide, mask, Number.NEGATIVE_INFINITY);
  const bright = weightedMean(guide, mask, usual);
  for (let at = 0; at < mask.values.length; at++)
    mask.values[at] = (mask.values[at] ?? 0) * smooth(bright - 2.6, bright - 1.5, guide.values[at] ?? 0);
  const side = Math.max(width, height);
  return mapped(guided(blurred(mask, side / 250), guide, Math.max(2, side / 60), 0.3), (value) =>
    smooth(0.2, 0.6, value),
  );
}

// The weighted mean of the points above a level.
function weightedMean({ values }: Plane, weight: Plane, above: number): number {
  let [sum, total] = [0, 1e-6];
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value < above) continue;
    sum += value * (weight.values[at] ?? 0);
    total += weight.values[at] ?? 0;
  }
  return sum / total;
}
