// Encodes a picture as a one-frame video and decodes it again, with the losses that a video model was trained on.
import { rm, writeFile } from "node:fs/promises";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { encodeMedia } from "../files/encode-media.ts";
import { readVideo } from "../files/media.ts";
import { image, int } from "../graph/describe-inputs.ts";
import { fromBytes, wrappedBytes } from "../pictures/colours/eight-bits.ts";
import { cropped } from "../pictures/crop.ts";
import { type Picture, planeOf } from "../pictures/picture.ts";

const what = "LTXVPreprocess";
const even = (side: number): number => side - (side % 2);

async function throughFilm(picture: Picture, quality: number, context: NodeContext): Promise<Picture> {
  const words = [
    "-sws_flags",
    "bilinear",
    "-thread_type",
    "slice",
    "-c:v",
    "libx264",
    "-crf",
    String(quality),
    "-preset",
    "veryfast",
  ];
  const frames = { pictures: picture, framesPerSecond: 1 };
  const options = {
    what,
    frames,
    sound: null,
    words: [...words, "-pix_fmt", "yuv420p", "-f", "mp4"],
    texts: new Map(),
  };
  const path = context.scratch();
  try {
    await writeFile(path, await encodeMedia(options, context));
    // As bytes, in every version of the application.
    return (await readVideo(path, { ...context, profile: "0.7" })).frames;
  } finally {
    await rm(path, { force: true });
  }
}

export const ltxvPreprocess: NodeRunner = {
  description: {
    name: what,
    category: "image",
    description: "Adds the compression artifacts of a video codec; 0 leaves the picture unchanged. Needs ffmpeg.",
    inputs: [image("image"), int("img_compression", 35, 0, 100, { tooltip: "Compression strength." })],
    outputs: [{ type: "IMAGE", name: "output_image" }],
  },
  weight: 4,
  async run(inputs, context) {
    const source = inputs.image("image");
    const quality = inputs.int("img_compression");
    if (quality === 0) return [source];
    if (source.channels !== 3) throw new NodeError("Only pictures with three channels can be encoded as video.");
    const [width, height] = [even(source.width), even(source.height)];
    if (width === 0 || height === 0)
      throw new NodeError("The picture is too small: both sides must be at least two pixels.");
    const out = context.image(source.batch, height, width, 3);
    const cut = cropped(source, { x: 0, y: 0, width, height }, context);
    for (let index = 0; index < source.batch; index++) {
      await context.breathe(index, source.batch);
      const levels = context.image(1, height, width, 3);
      fromBytes(wrappedBytes(planeOf(cut, index).data), levels.data);
      const coded = await throughFilm(levels, quality, context);
      planeOf(out, index).data.set(planeOf(coded, 0).data);
    }
    return [out];
  },
};
