// A video from a video: the frames keep their content and motion, and take the light and colours of the scene that the words and
// the seed make. One colour rule for all frames, so nothing flickers.
import { type PictureRequest, renderPicture } from "../pictures/picture.ts";
import { colourMap, recoloured, statisticsOf } from "./colour-map.ts";
import { luminanceOf, readScenery } from "./raster.ts";

export interface RefilmRequest extends PictureRequest {
  readonly count: number;
  // Frames one below the other, in this size.
  readonly pixels: Uint8Array<ArrayBuffer>;
  // From 0 (unchanged) to 1 (entirely in the scene's light).
  readonly strength: number;
  // From 0 (still) to 1 (moves as before).
  readonly motion: number;
  // Draws the outlines, like a model that follows a pose.
  readonly outlines: boolean;
}

export function refilm(request: RefilmRequest): Uint8Array<ArrayBuffer> {
  const { width, height, count, pixels, strength } = request;
  const scene = renderPicture(request);
  const map = colourMap(statisticsOf(pixels), statisticsOf(scene), {
    brightness: strength * 0.6,
    colour: strength,
    saturation: 1,
    turn: 0,
    contrast: 1,
    steps: 0,
  });
  const bytes = width * height * 3;
  const film = new Uint8Array(bytes * count);
  for (let frame = 0; frame < count; frame++) {
    const source = { width, height, pixels: sourceAt(request, frame * request.motion, bytes) };
    const coloured = recoloured(source, map).pixels;
    film.set(request.outlines ? outlined(coloured, width, height, strength) : coloured, frame * bytes);
  }
  return film;
}

// Between two frames both are visible.
function sourceAt({ pixels, count }: RefilmRequest, position: number, bytes: number): Uint8Array<ArrayBuffer> {
  const low = Math.min(count - 1, Math.floor(position));
  const share = Math.round((position - low) * 256);
  const from = pixels.subarray(low * bytes, (low + 1) * bytes);
  if (share === 0 || low === count - 1) return from;
  const next = (low + 1) * bytes;
  return from.map((value, at) => (value * (256 - share) + (pixels[next + at] ?? 0) * share + 128) >> 8);
}

function outlined(pixels: Uint8Array<ArrayBuffer>, width: number, height: number, strength: number): Uint8Array {
  const { values } = luminanceOf(readScenery({ width, height, pixels }));
  const out = new Uint8Array(pixels);
  for (let row = 1; row < height - 1; row++)
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      const across = Math.sqrt(values[at + 1] ?? 0) - Math.sqrt(values[at - 1] ?? 0);
      const down = Math.sqrt(values[at + width] ?? 0) - Math.sqrt(values[at - width] ?? 0);
      const ink = Math.min(0.85, Math.max(0, Math.hypot(across, down) - 0.06) * 4 * strength);
      if (ink > 0)
        for (let channel = at * 3; channel < at * 3 + 3; channel++) out[channel] = (out[channel] ?? 0) * (1 - ink);
    }
  return out;
}
