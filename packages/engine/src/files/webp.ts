// WEBP, still or animated, with the graph in its EXIF block where the application puts it.
import { openRaw, type RawPicture } from "./codec.ts";

interface WebpPictures extends RawPicture {
  readonly batch: number;
}

interface WebpOptions {
  readonly milliseconds: number;
  readonly isLossless: boolean;
  readonly quality: number;
  readonly effort: number;
  readonly texts: ReadonlyMap<string, string>;
}

export async function encodeWebp(pictures: WebpPictures, options: WebpOptions): Promise<Buffer> {
  const { batch, height, width, channels, bytes } = pictures;
  const raw = await openRaw({ bytes, width, height: height * batch, channels }, batch > 1 ? height : undefined);
  const [prompt, workflow] = [options.texts.get("prompt"), options.texts.get("workflow")];
  return raw
    .withExif({
      IFD0: {
        ...(prompt === undefined ? {} : { Model: `prompt:${prompt}` }),
        ...(workflow === undefined ? {} : { Make: `workflow:${workflow}` }),
      },
    })
    .webp({
      lossless: options.isLossless,
      quality: Math.max(1, options.quality),
      effort: options.effort,
      loop: 0,
      delay: Array.from({ length: batch }, () => options.milliseconds),
    })
    .toBuffer();
}
