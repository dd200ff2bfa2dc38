// How much light of which colour falls where: from lamps in front of and behind the picture, or from another picture. The
// picture's own smoothed brightness serves as its relief: what faces a lamp is lit by it.
import type { Lamp, LightPlan } from "./light-words.ts";
import { blurred, createPlane, mapped, meanOf, type Plane, resized } from "./plane.ts";
import { luminanceOf, type Scenery } from "./raster.ts";

export type LightField = Omit<Scenery, "width" | "height">;

interface Relief {
  readonly slopesX: Plane;
  readonly slopesY: Plane;
  readonly subject: Plane;
}

// From log brightness on a small grid. Steps are capped, so that a dark shirt is not a cliff.
export function reliefOf(brightness: Plane, subject: Plane): Relief {
  const { width, height } = brightness;
  const side = Math.max(width, height);
  const fine = blurred(brightness, side / 60);
  const wide = blurred(brightness, side / 16);
  const body = blurred(subject, side / 22);
  const round = blurred(subject, side / 6);
  const relief = mapped(
    fine,
    (value, at) =>
      value * 0.4 + (wide.values[at] ?? 0) * 0.7 + (body.values[at] ?? 0) * 1.6 + (round.values[at] ?? 0) * 3.4,
  );
  const slopesX = createPlane(width, height);
  const slopesY = createPlane(width, height);
  const steep = side / 12;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const left = relief.values[column > 0 ? at - 1 : at] ?? 0;
      const right = relief.values[column < width - 1 ? at + 1 : at] ?? 0;
      const above = relief.values[row > 0 ? at - width : at] ?? 0;
      const below = relief.values[row < height - 1 ? at + width : at] ?? 0;
      // A backdrop is flat: only the subject has a relief.
      const share = Math.max(0, 1.25 * (subject.values[at] ?? 0) - 0.25);
      slopesX.values[at] = 1.3 * Math.tanh((right - left) * 0.5 * steep) * share;
      slopesY.values[at] = 1.3 * Math.tanh((below - above) * 0.5 * steep) * share;
    }
  return { slopesX: blurred(slopesX, side / 110), slopesY: blurred(slopesY, side / 110), subject };
}

export function lampField(plan: LightPlan, relief: Relief, softness: number): LightField {
  const { width, height } = relief.subject;
  const field = {
    red: createPlane(width, height),
    green: createPlane(width, height),
    blue: createPlane(width, height),
  };
  field.red.values.fill(plan.ambient[0]);
  field.green.values.fill(plan.ambient[1]);
  field.blue.values.fill(plan.ambient[2]);
  for (const lamp of plan.lamps) addLamp(field, { ...lamp, softness: Math.max(lamp.softness, softness) }, relief);
  return field;
}

function addLamp(field: LightField, lamp: Lamp, { slopesX, slopesY, subject }: Relief): void {
  const { width, height } = subject;
  const shorter = Math.min(width, height);
  const hardness = 1 - lamp.softness;
  for (let row = 0; row < height; row++) {
    const y = ((row + 0.5) / height) * 2 - 1;
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const x = ((column + 0.5) / width) * 2 - 1;
      const [dx, dy] = [((lamp.x - x) * width) / shorter, ((lamp.y - y) * height) / shorter];
      const away = Math.hypot(dx, dy, lamp.z);
      const near = 1 / (0.35 + lamp.softness * 0.25 + away * away * (0.42 + hardness * 0.3));
      // A slope that falls towards the lamp faces it.
      const [sx, sy] = [slopesX.values[at] ?? 0, slopesY.values[at] ?? 0];
      const facing = (-(sx * dx + sy * dy) * 0.95 + Math.abs(lamp.z)) / (away * Math.hypot(sx, sy, 1));
      const body = subject.values[at] ?? 0;
      const wrap = 0.16 + lamp.softness * 0.3;
      const lit =
        lamp.z < 0
          ? (1 - body) * 0.75 + body * (1 - body) * 3 + 0.14
          : wrap + (1 - wrap) * Math.max(0, facing * (1 + hardness * 0.45)) ** (0.8 + hardness * 0.6);
      const light = lamp.strength * near * lit;
      field.red.values[at] = (field.red.values[at] ?? 0) + lamp.colour[0] * light;
      field.green.values[at] = (field.green.values[at] ?? 0) + lamp.colour[1] * light;
      field.blue.values[at] = (field.blue.values[at] ?? 0) + lamp.colour[2] * light;
    }
  }
}

// A map says where light falls and in which colour. A photograph says it too, but its contents must not show through, so we blur
// it far more.
export function pictureField(
  light: Scenery,
  width: number,
  height: number,
  kind: "reference" | "lightmap",
): LightField {
  const side = Math.max(width, height);
  const spread = kind === "lightmap" ? side / 40 : side / 6;
  const floor = kind === "lightmap" ? 0.06 : 0.1;
  const plane = (from: Plane) => mapped(blurred(resized(from, width, height), spread), (value) => value + floor);
  return { red: plane(light.red), green: plane(light.green), blue: plane(light.blue) };
}

// Normalised to a mean brightness, so that a plan's exposure means the same for every light.
export function exposed(field: LightField, exposure: number): LightField {
  const mean = meanOf(luminanceOf(field));
  const factor = exposure / Math.max(0.001, mean);
  return changed(field, (value) => value * factor);
}

// Applies a curve to the range between the darkest and the brightest point; colours stay.
export function curved(field: LightField, shape: (light: number) => number): LightField {
  const light = luminanceOf(field);
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const value of light.values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const range = Math.max(1e-6, high - low);
  const factors = mapped(light, (value) => (low + range * shape((value - low) / range)) / Math.max(1e-6, value));
  return changed(field, (value, at) => value * (factors.values[at] ?? 1));
}

export function widened(field: LightField, radius: number): LightField {
  return { red: blurred(field.red, radius), green: blurred(field.green, radius), blue: blurred(field.blue, radius) };
}

// Draws colours towards the light's own brightness; below 0 it pushes them away.
export function decoloured(field: LightField, share: number): LightField {
  const light = luminanceOf(field);
  return changed(field, (value, at) => Math.max(0.004, value + ((light.values[at] ?? 0) - value) * share));
}

function changed(field: LightField, change: (value: number, at: number) => number): LightField {
  return { red: mapped(field.red, change), green: mapped(field.green, change), blue: mapped(field.blue, change) };
}

// From 0 for white light to nearly 1 for light of one colour.
export function colourfulnessOf({ red, green, blue }: LightField): number {
  const means = [meanOf(red), meanOf(green), meanOf(blue)];
  return 1 - Math.min(...means) / Math.max(0.001, ...means);
}
