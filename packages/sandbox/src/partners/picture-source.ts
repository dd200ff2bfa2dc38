// Pictures in a request: base64, a data: URL, or a URL. We check the kind at submission; reading and decoding happen when the
// task runs, within limits of bytes, pixels and time. A URL elsewhere is accepted, as a real partner would, but we never dial
// it: a picture made from the URL itself stands in for it.
import { createHash } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import type { BoundedStore } from "../http/bounded-store.ts";
import type { KeptFile } from "../http/look-up.ts";
import type { Raster } from "../light/raster.ts";
import { callLoopback, loopbackUrl } from "./loopback-call.ts";

export type PictureSource = { readonly bytes: Buffer } | { readonly url: URL } | { readonly elsewhere: string };

export interface PictureReader {
  // The reason as a string, if it is not a picture.
  sourceOf(text: string, kind?: "image" | "video"): PictureSource | string;
  bytesOf(source: PictureSource): Promise<Buffer>;
}

const pictureBytesMax = 25 * 1024 * 1024;
const decodedPixelsMax = 50_000_000;
const workedPixelsMax = 4_194_304;
const fetchSecondsMax = 20;

export function pictureReader(deps: {
  readonly files: BoundedStore<KeptFile>;
  readonly ownUrl: () => string;
  readonly origins: readonly string[] | null;
  readonly signal: AbortSignal;
}): PictureReader {
  const ownFile = (url: URL) => (url.href.startsWith(`${deps.ownUrl()}/files/`) ? url.pathname.slice(7) : null);
  return {
    sourceOf(text, kind = "image") {
      if (/^https?:/i.test(text)) {
        const own = URL.canParse(text) ? new URL(text) : null;
        if (own && ownFile(own) !== null) return { url: own };
        const url = loopbackUrl(text, deps.origins);
        if (url) return { url };
        return own && isElsewhere(own)
          ? { elsewhere: own.href }
          : "Must be an address on this machine or a public one.";
      }
      return inlineSource(text, kind);
    },
    async bytesOf(source) {
      if ("bytes" in source) return source.bytes;
      if ("elsewhere" in source) return standIn(source.elsewhere);
      const name = ownFile(source.url);
      // We read our own files directly instead of fetching them.
      const kept = name === null ? undefined : deps.files.get(name);
      if (kept) return Buffer.from(kept.bytes);
      const { status, body } = await callLoopback({
        url: source.url,
        method: "GET",
        bodyBytesMax: pictureBytesMax,
        secondsMax: fetchSecondsMax,
        signal: deps.signal,
      });
      if (status !== 200) throw new Error(`Fetching the picture returned status ${status}.`);
      return body;
    },
  };
}

function isElsewhere({ hostname, username, password }: URL): boolean {
  return username === "" && password === "" && /\.[a-z][a-z0-9-]*$/.test(hostname) && !hostname.endsWith(".localhost");
}

const standInPixels = 512;

// Four colours from the URL, blended: the same URL is always the same picture.
function standIn(address: string): Promise<Buffer> {
  const colours = createHash("sha256").update(address).digest().subarray(0, 12);
  return sharp(colours, { raw: { width: 2, height: 2, channels: 3 } })
    .resize({ width: standInPixels, height: standInPixels, fit: "fill", kernel: "cubic" })
    .png()
    .toBuffer();
}

function inlineSource(text: string, kind: "image" | "video"): PictureSource | string {
  const comma = text.startsWith("data:") ? text.indexOf(",") : -1;
  const type = /^data:(image|video)\/[a-z0-9.+-]+;base64$/i.exec(text.slice(0, Math.max(0, comma)))?.[1];
  // A video may be an animated picture.
  if (text.startsWith("data:") && (type === undefined || (kind === "image" && type.toLowerCase() !== "image")))
    return `A data URL must contain ${kind === "image" ? "an image" : "a video"} in base64.`;
  const encoded = comma < 0 ? text : text.slice(comma + 1);
  if (encoded.length < 16 || !/^[A-Za-z0-9+/_\s-]+={0,2}\s*$/.test(encoded)) return "Must be base64 or a URL.";
  return { bytes: Buffer.from(encoded, "base64") };
}

interface DecodedPicture {
  readonly raster: Raster;
  // One byte per pixel, if the picture is not fully opaque.
  readonly alpha: Buffer | null;
}

// Upright, in sRGB, and no larger than we can process.
export async function decodePicture(bytes: Buffer): Promise<DecodedPicture> {
  const { autoOrient, hasAlpha } = await open(bytes).metadata();
  const { width, height } = autoOrient;
  const scale = Math.min(1, Math.sqrt(workedPixelsMax / Math.max(1, width * height)));
  const upright = () => {
    const picture = open(bytes).autoOrient().toColourspace("srgb");
    return scale < 1
      ? picture.resize({ width: Math.max(1, Math.floor(width * scale)), withoutEnlargement: true })
      : picture;
  };
  const { data, info } = await upright().removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raster = { width: info.width, height: info.height, pixels: rgbOf(data, info.channels) };
  const alpha = hasAlpha ? await upright().ensureAlpha().extractChannel(3).raw().toBuffer() : null;
  return { raster, alpha };
}

// Scaled to cover a size; the excess is cut off evenly.
export async function decodeCovering(bytes: Buffer, width: number, height: number): Promise<Raster> {
  const { data, info } = await open(bytes)
    .autoOrient()
    .toColourspace("srgb")
    .flatten({ background: "#ffffff" })
    .resize({ width, height, fit: "cover" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: rgbOf(data, info.channels) };
}

function open(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: decodedPixelsMax, failOn: "error" });
}

function rgbOf(data: Buffer, channels: number): Uint8Array<ArrayBuffer> {
  if (channels === 3) return new Uint8Array(data);
  const pixels = new Uint8Array((data.byteLength / channels) * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = data[Math.floor(at / 3) * channels] ?? 0;
  return pixels;
}

export async function encodePicture(pixels: Uint8Array, { raster, alpha }: DecodedPicture): Promise<Buffer> {
  const { width, height } = raster;
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  const whole = alpha ? picture.joinChannel(alpha, { raw: { width, height, channels: 1 } }) : picture;
  return whole.png({ compressionLevel: 3, adaptiveFiltering: true }).toBuffer();
}
