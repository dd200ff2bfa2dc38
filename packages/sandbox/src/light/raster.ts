// Pictures as bytes (red, green, blue, row by row) and as linear light in three planes.
import { screenSteps, screenValue } from "../pictures/colour.ts";
import { createPlane, type Plane } from "./plane.ts";

export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

// Linear light, one plane per colour.
export interface Scenery {
  readonly width: number;
  readonly height: number;
  readonly red: Plane;
  readonly green: Plane;
  readonly blue: Plane;
}

const linearOf = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

export const luminanceShares = [0.2126, 0.7152, 0.0722] as const;

export function readScenery({ width, height, pixels }: Raster): Scenery {
  const [red, green, blue] = [createPlane(width, height), createPlane(width, height), createPlane(width, height)];
  for (let at = 0, from = 0; at < width * height; at++, from += 3) {
    red.values[at] = linearOf[pixels[from] ?? 0] ?? 0;
    green.values[at] = linearOf[pixels[from + 1] ?? 0] ?? 0;
    blue.values[at] = linearOf[pixels[from + 2] ?? 0] ?? 0;
  }
  return { width, height, red, green, blue };
}

export function luminanceOf({ red, green, blue }: Omit<Scenery, "width" | "height">): Plane {
  const plane = createPlane(red.width, red.height);
  for (let at = 0; at < plane.values.length; at++)
    plane.values[at] =
      luminanceShares[0] * (red.values[at] ?? 0) +
      luminanceShares[1] * (green.values[at] ?? 0) +
      luminanceShares[2] * (blue.values[at] ?? 0);
  return plane;
}

// From 0 to 1 on the screen's scale, not yet rounded.
export function shown(linear: number): number {
  const value = linear <= 0 ? 0 : linear >= 1 ? 1 : linear;
  const position = Math.sqrt(value) * screenSteps;
  const low = Math.floor(position);
  const from = screenValue[low] ?? 0;
  return (from + ((screenValue[Math.min(screenSteps, low + 1)] ?? 255) - from) * (position - low)) / 255;
}

export function byteOf(value: number): number {
  const scaled = value * 255 + 0.5;
  return scaled < 0 ? 0 : scaled > 255 ? 255 : Math.floor(scaled);
}
