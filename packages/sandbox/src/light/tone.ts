// From light to bytes: strength, grade, haze, look and the five controls, pixel by pixel. Neutral settings leave a pixel exactly
// as it was, so that strength 0 returns the original.
import type { LightField } from "./light-field.ts";
import type { Plane } from "./plane.ts";
import { byteOf, luminanceShares, type Raster, type Scenery, shown } from "./raster.ts";
import type { Look, RelightOrder } from "./relight-order.ts";

// How each colour's stops are shifted and stretched towards another picture's.
interface Grade {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly stretch: readonly number[];
}

interface Development {
  readonly image: Raster;
  readonly scenery: Scenery;
  readonly ratio: LightField;
  readonly haze: LightField;
  readonly wash: Plane;
  readonly grade: Grade | null;
  readonly detail: Plane | null;
  readonly evenness: Plane | null;
  readonly look: Look;
  readonly order: RelightOrder;
}

const gradeShare = 0.6;

export function gradeTo(scenery: Scenery, target: Scenery): Grade {
  const channels = (picture: Scenery) => [picture.red, picture.green, picture.blue].map(stopStatistics);
  const [own, theirs] = [channels(scenery), channels(target)];
  return {
    from: own.map(({ mean }) => mean),
    to: theirs.map(({ mean }) => mean),
    stretch: own.map(({ spread }, at) =>
      Math.min(1.5, Math.max(0.65, (theirs[at]?.spread ?? 1) / Math.max(0.05, spread))),
    ),
  };
}

function stopStatistics({ values }: Plane): { readonly mean: number; readonly spread: number } {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    const stops = Math.log2(value + 1 / 128);
    sum += stops;
    squares += stops * stops;
  }
  const mean = sum / values.length;
  return { mean, spread: Math.sqrt(Math.max(0, squares / values.length - mean * mean)) };
}

export function developed(work: Development): Uint8Array<ArrayBuffer> {
  const { image, order } = work;
  const bytes = new Uint8Array(image.pixels.length);
  // Blended towards the original at the end; everything before is at full strength.
  const share = order.interpolates ? 1 : order.strength;
  const keep = order.interpolates ? 1 - order.strength : 0;
  const finishing = finisherOf(order);
  const light = new Float64Array(3);
  const relit = relighterOf(work, share);
  const count = image.width * image.height;
  for (let at = 0, offset = 0; at < count; at++, offset += 3) {
    relit(at, light);
    looked(work, at, share, light);
    for (let channel = 0; channel < 3; channel++) {
      const original = (image.pixels[offset + channel] ?? 0) / 255;
      const value = finishing(rolled(light[channel] ?? 0, original));
      bytes[offset + channel] = byteOf(value + (original - value) * keep);
    }
  }
  return bytes;
}

function relighterOf({ scenery, ratio, haze, wash, grade }: Development, share: number) {
  const own = [scenery.red.values, scenery.green.values, scenery.blue.values] as const;
  const stops = [ratio.red.values, ratio.green.values, ratio.blue.values] as const;
  const mist = [haze.red.values, haze.green.values, haze.blue.values] as const;
  const one = (channel: 0 | 1 | 2, at: number, grey: number, washed: number) => {
    const before = own[channel][at] ?? 0;
    const value = before + (grey - before) * washed;
    let change = stops[channel][at] ?? 0;
    if (grade) {
      const seen = Math.log2(value + 1 / 128);
      const wanted = (grade.to[channel] ?? 0) + (seen - (grade.from[channel] ?? 0)) * (grade.stretch[channel] ?? 1);
      change = change * 0.6 + Math.max(-4, Math.min(4, wanted - seen)) * gradeShare;
    }
    return value * 2 ** (change * share) + (mist[channel][at] ?? 0) * share;
  };
  return (at: number, light: Float64Array) => {
    const [red, green, blue] = luminanceShares;
    const grey = red * (own[0][at] ?? 0) + green * (own[1][at] ?? 0) + blue * (own[2][at] ?? 0);
    const washed = (wash.values[at] ?? 0) * share;
    light[0] = one(0, at, grey, washed);
    light[1] = one(1, at, grey, washed);
    light[2] = one(2, at, grey, washed);
  };
}

function looked({ look, order, detail, evenness }: Development, at: number, share: number, light: Float64Array): void {
  let stops = look.stops * share + ((order.brightness - 50) / 50) * 1.1;
  if (detail) {
    const kept = order.preservesDetails ? Math.max(look.detail, look.detail * 0.5) : look.detail - 0.75;
    stops += (detail.values[at] ?? 0) * Math.max(-1, kept) * share;
  }
  if (evenness) stops -= (evenness.values[at] ?? 0) * look.evening * share;
  const [red, green, blue] = [light[0] ?? 0, light[1] ?? 0, light[2] ?? 0];
  const luminance = luminanceShares[0] * red + luminanceShares[1] * green + luminanceShares[2] * blue;
  const contrast = (look.contrast - 1) * share + ((order.contrast - 50) / 50) * 0.55;
  if (contrast !== 0) stops += Math.max(-3, Math.min(3, Math.log2(luminance + 1 / 512) + 2.4)) * contrast * 0.6;
  const saturation = (1 + (look.saturation - 1) * share) * saturationFactor(order.saturation);
  const factor = stops === 0 ? 1 : 2 ** stops;
  const tint = tintOf(look, luminance, share);
  for (let channel = 0; channel < 3; channel++) {
    const value = light[channel] ?? 0;
    light[channel] = Math.max(0, luminance + (value - luminance) * saturation) * factor * (tint[channel] ?? 1);
  }
}

// Grey at 0; increases are slower, because colours clip.
const saturationFactor = (level: number) => (level <= 50 ? level / 50 : 1 + (level - 50) / 70);

const noTint = [1, 1, 1] as const;

function tintOf(look: Look, luminance: number, share: number): readonly number[] {
  if (look.warmth === 0 && !look.shadows && !look.highlights) return noTint;
  const bright = Math.min(1, Math.sqrt(Math.max(0, luminance)) * 1.25);
  return [0, 1, 2].map((channel) => {
    const shadow = look.shadows?.[channel] ?? 1;
    const highlight = look.highlights?.[channel] ?? 1;
    const warm = channel === 0 ? 1 + look.warmth * 0.4 : channel === 2 ? 1 - look.warmth * 0.6 : 1;
    return 1 + ((shadow + (highlight - shadow) * bright) * warm - 1) * share;
  });
}

// What became brighter than paper rolls off; the shoulder begins no lower than where the pixel already was.
function rolled(linear: number, original: number): number {
  if (linear <= 0.62) return shown(linear);
  const value = linear >= 1 ? 1 + (linear - 1) * 0.4 : shown(linear);
  const knee = Math.max(0.82, original);
  if (value <= knee) return value;
  const room = 1 - knee;
  return room <= 0 ? 1 : knee + room * (1 - Math.exp((knee - value) / room));
}

// Blacks and whites move the ends of the scale; the middle stays.
function finisherOf({ whites, blacks }: RelightOrder): (value: number) => number {
  if (whites === 50 && blacks === 50) return (value) => value;
  const [up, down] = [((whites - 50) / 50) * 0.22, ((blacks - 50) / 50) * 0.16];
  return (value) => value + up * value * value * (0.4 + 0.6 * value) + down * (1 - value) ** 3;
}
