// A clip is the same picture at one moment after another.
import { type PictureRequest, renderPicture } from "./picture.ts";

export const framesPerSecond = 10;

export interface AnimationRequest extends PictureRequest {
  readonly seconds: number;
}

export function frameCount(seconds: number): number {
  return Math.max(2, Math.round(seconds * framesPerSecond));
}

export function renderAnimation(request: AnimationRequest): Uint8Array<ArrayBuffer> {
  const count = frameCount(request.seconds);
  const frameBytes = request.width * request.height * 3;
  const frames = new Uint8Array(frameBytes * count);
  for (let frame = 0; frame < count; frame++)
    frames.set(renderPicture(request, frame / framesPerSecond), frame * frameBytes);
  return frames;
}
