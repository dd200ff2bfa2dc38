// A small picture of the work so far: the first of the batch, at most 512 pixels on the longer side, as JPEG.
import { openRaw } from "../files/codec.ts";
import { toBytes } from "../pictures/colours/eight-bits.ts";
import { type Picture, planeOf } from "../pictures/picture.ts";
import { resampleArea } from "../pictures/scaling/resample.ts";

const sideMax = 512;
// The most a host keeps per job.
const bytesMax = 128 * 1024;

interface PreviewPicture {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export async function makePreview(picture: Picture): Promise<PreviewPicture> {
  const source = planeOf(picture, 0);
  const by = Math.min(1, sideMax / Math.max(source.width, source.height));
  const width = Math.max(1, Math.round(source.width * by));
  const height = Math.max(1, Math.round(source.height * by));
  const small = { width, height, channels: source.channels, data: new Float32Array(width * height * source.channels) };
  if (by === 1) small.data.set(source.data);
  else resampleArea(source, small);
  const channels = picture.channels === 1 ? 1 : picture.channels === 4 ? 4 : 3;
  const raw = await openRaw({ bytes: toBytes(small.data), width, height, channels });
  const flat = raw.flatten({ background: "#808080" });
  let bytes = await flat.clone().jpeg({ quality: 80 }).toBuffer();
  // Noise compresses badly: a worse picture is still seen, one that is too large is not.
  for (const quality of [50, 20])
    if (bytes.byteLength > bytesMax) bytes = await flat.clone().jpeg({ quality }).toBuffer();
  return { contentType: "image/jpeg", bytes };
}
