// A short video: from words alone, or from pictures at given frames. A picture at a frame is that frame, to the pixel; before
// and after it the camera moves, near things more than far ones, and pictures fade into each other.
import { type PictureRequest, renderPicture } from "../pictures/picture.ts";
import { type Random, randomFrom, speckle } from "../pictures/random.ts";
import { blurred, mapped, type Plane } from "./plane.ts";
import { luminanceOf, type Raster, readScenery } from "./raster.ts";

export interface ClipRequest extends PictureRequest {
  readonly frames: number;
  readonly framesPerSecond: number;
  // In the clip's size, by frame.
  readonly pictures: readonly { readonly frame: number; readonly picture: Raster }[];
}

interface Camera {
  // Sides per second, and growth per second.
  readonly panX: number;
  readonly panY: number;
  readonly zoom: number;
}

// Returns the frames, one below the other.
export function renderClip(request: ClipRequest): Uint8Array<ArrayBuffer> {
  const { width, height, frames } = request;
  const frameBytes = width * height * 3;
  const film = new Uint8Array(frameBytes * frames);
  const camera = cameraOf(request.prompt, randomFrom("camera", request.prompt, request.seed));
  const shots = [...request.pictures]
    .sort((a, b) => a.frame - b.frame)
    .map((shot) => ({ ...shot, depth: depthOf(shot.picture) }));
  for (let frame = 0; frame < frames; frame++) {
    const pixels = shots.length > 0 ? shotFrame(request, shots, camera, frame) : worded(request, camera, frame);
    film.set(pixels, frame * frameBytes);
  }
  return film;
}

function worded(request: ClipRequest, camera: Camera, frame: number): Uint8Array {
  const seconds = frame / request.framesPerSecond;
  const picture = { width: request.width, height: request.height, pixels: renderPicture(request, seconds) };
  // The scene itself moves; the camera only breathes.
  return frame === 0 ? picture.pixels : moved(picture, null, camera, eased(seconds) * 0.6);
}

type Shot = ClipRequest["pictures"][number] & { readonly depth: Plane };

function shotFrame(request: ClipRequest, shots: readonly Shot[], camera: Camera, frame: number): Uint8Array {
  const before = shots.findLast((shot) => shot.frame <= frame);
  const after = shots.find((shot) => shot.frame >= frame);
  const one = before ?? after;
  if (!one) throw new Error("A clip needs at least one picture.");
  const at = (shot: Shot) => shownAt(request, shot, camera, frame);
  if (!before || !after || before === after) return at(one);
  const share = (frame - before.frame) / (after.frame - before.frame);
  return crossed(at(before), at(after), share * share * (3 - 2 * share));
}

function shownAt(request: ClipRequest, shot: Shot, camera: Camera, frame: number): Uint8Array {
  if (frame === shot.frame) return shot.picture.pixels;
  const seconds = (frame - shot.frame) / request.framesPerSecond;
  const pixels = moved(shot.picture, shot.depth, camera, eased(seconds));
  return aired(pixels, request, Math.abs(seconds));
}

// Starts gently from the moment when the picture is still.
const eased = (seconds: number) => (seconds * Math.abs(seconds)) / (0.5 + Math.abs(seconds));

function crossed(from: Uint8Array, to: Uint8Array, share: number): Uint8Array {
  const weight = Math.round(share * 256);
  return from.map((value, at) => (value * (256 - weight) + (to[at] ?? 0) * weight + 128) >> 8);
}

function cameraOf(prompt: string, random: Random): Camera {
  const words = new Set(prompt.toLowerCase().match(/\p{L}+/gu) ?? []);
  const says = (list: string) => list.split(" ").some((word) => words.has(word));
  if (says("static still locked tripod")) return { panX: 0, panY: 0, zoom: 0.004 };
  const panX = says("left") ? -0.03 : says("right") ? 0.03 : random.between(-0.016, 0.016);
  const panY = says("up tilt rising rises") ? -0.02 : says("down descending") ? 0.02 : random.between(-0.006, 0.006);
  const zoom = says("out back away") ? -0.03 : random.between(0.018, 0.034);
  return { panX, panY, zoom };
}

// A guess at what is near: the lower part of a picture, and what is bright and warm in its middle.
function depthOf(picture: Raster): Plane {
  const side = Math.max(picture.width, picture.height);
  const light = blurred(luminanceOf(readScenery(picture)), side / 14);
  return mapped(light, (value, at) => {
    const x = ((at % picture.width) / picture.width) * 2 - 1;
    const y = Math.floor(at / picture.width) / picture.height;
    return 0.35 * y + 0.4 * Math.exp(-x * x * 3) * Math.sqrt(Math.max(0, value)) + 0.25 * Math.exp(-x * x * 2);
  });
}

function moved(picture: Raster, depth: Plane | null, camera: Camera, time: number): Uint8Array {
  const { width, height, pixels } = picture;
  const out = new Uint8Array(pixels.length);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const near = depth ? 0.5 + 1.1 * (depth.values[row * width + column] ?? 0) : 1;
      // Zooming in leaves a margin for the pan; on the way out the edges are mirrored.
      const grown =
        1 +
        Math.abs(camera.zoom * time) * near +
        Math.abs(camera.panX * time) * 1.2 +
        Math.abs(camera.panY * time) * 1.2;
      const scale = camera.zoom < 0 ? 1 - camera.zoom * Math.abs(time) * 0.6 * near : 1 / grown;
      const x = ((column + 0.5) / width - 0.5) * scale + camera.panX * time * 0.5 * near;
      const y = ((row + 0.5) / height - 0.5) * scale + camera.panY * time * 0.5 * near;
      sample(picture, (x + 0.5) * width - 0.5, (y + 0.5) * height - 0.5, out, (row * width + column) * 3);
    }
  return out;
}

function sample({ width, height, pixels }: Raster, u: number, v: number, out: Uint8Array, offset: number): void {
  const x = Math.min(width - 1, Math.max(0, mirrored(u, width)));
  const y = Math.min(height - 1, Math.max(0, mirrored(v, height)));
  const left = Math.min(Math.floor(x), width - 2);
  const top = Math.min(Math.floor(y), height - 2);
  const [across, down] = [x - left, y - top];
  const at = (top * width + left) * 3;
  const below = at + width * 3;
  for (let channel = 0; channel < 3; channel++) {
    const upper = (pixels[at + channel] ?? 0) * (1 - across) + (pixels[at + 3 + channel] ?? 0) * across;
    const lower = (pixels[below + channel] ?? 0) * (1 - across) + (pixels[below + 3 + channel] ?? 0) * across;
    out[offset + channel] = upper + (lower - upper) * down + 0.5;
  }
}

const mirrored = (value: number, size: number) =>
  value < 0 ? -value : value > size - 1 ? 2 * (size - 1) - value : value;

// Particles in the air: dust in the light, or the snow and rain that the words ask for. Fades in, so that a still picture stays
// as it is.
function aired(pixels: Uint8Array, request: ClipRequest, seconds: number): Uint8Array {
  const { width, height, prompt, seed } = request;
  const words = new Set(prompt.toLowerCase().match(/\p{L}+/gu) ?? []);
  const isSnow = words.has("snow") || words.has("snowing") || words.has("winter");
  const isRain = words.has("rain") || words.has("storm") || words.has("raining");
  const salt = Math.floor(randomFrom("air", seed).next() * 1e6);
  const fall = isRain ? 1.1 : isSnow ? 0.2 : -0.02;
  const count = isRain ? 160 : isSnow ? 190 : 36;
  const strength = Math.min(1, seconds) * (isSnow ? 150 : isRain ? 60 : 40);
  const unit = Math.min(width, height);
  for (let mote = 0; mote < count; mote++) {
    // Few are near: those are large, fast and out of focus.
    const near = speckle(mote, 3, salt) ** 5;
    const size = Math.max(0.55, unit * (isRain ? 0.002 : 0.0016 + 0.012 * near));
    const drift = Math.sin(seconds * 0.9 + mote) * 0.012;
    const x = ((speckle(mote, 1, salt) + drift + 1) % 1) * width;
    const y = ((((speckle(mote, 2, salt) + seconds * fall * (0.5 + near * 2)) % 1) + 1) % 1) * height;
    const twinkle = isSnow || isRain ? 1 - 0.6 * near : 0.5 + 0.5 * Math.sin(seconds * 2 + mote * 2.1);
    dab(pixels, { width, height, x, y, size, long: isRain ? 9 : 1 }, strength * twinkle);
  }
  return pixels;
}

interface Dab {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly long: number;
}

function dab(pixels: Uint8Array, { width, height, x, y, size, long }: Dab, shine: number): void {
  const reach = Math.ceil(size * 2);
  for (let row = Math.max(0, Math.floor(y - reach * long)); row <= Math.min(height - 1, y + reach * long); row++)
    for (let column = Math.max(0, Math.floor(x - reach)); column <= Math.min(width - 1, x + reach); column++) {
      const distance = ((column - x) / size) ** 2 + ((row - y) / (size * long)) ** 2;
      const light = shine * Math.exp(-distance);
      const offset = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel++)
        pixels[offset + channel] = Math.min(255, (pixels[offset + channel] ?? 0) + light);
    }
}
