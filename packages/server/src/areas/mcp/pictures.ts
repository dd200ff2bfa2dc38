// Images as an agent sees them: small enough for its context, with a link to the whole file if it has a URL.
import type { ContentBlock } from "@modelcontextprotocol/server";

// Opens an image from a URL in this model's answer. Null if it cannot be fetched.
export type OpenPicture = (url: string, model: string) => Promise<Buffer | null>;
// A smaller version. Null if it cannot be made.
export type ShrinkPicture = (bytes: Uint8Array) => Promise<Uint8Array | null>;

export interface PictureTools {
  readonly openPicture: OpenPicture;
  readonly shrinkPicture: ShrinkPicture;
}

// The same, bound to one model's answer.
export interface Pictures {
  openPicture(url: string): Promise<Buffer | null>;
  readonly shrinkPicture: ShrinkPicture;
}

// An agent reads an image again with every further turn, so larger ones are shown small.
export const wholeBytesMax = 256 * 1024;
export const pictureBytesMax = 3 * 1024 * 1024;
const picturesMax = 4;

const signatures: readonly (readonly [string, string])[] = [
  ["\x89PNG\r\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF8", "image/gif"],
  ["RIFF", "image/webp"],
];

export function pictureBlock(bytes: Uint8Array): ContentBlock | null {
  if (bytes.length > pictureBytesMax) return null;
  const start = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  const mimeType = signatures.find(([signature]) => start.startsWith(signature))?.[1];
  return mimeType === undefined ? null : { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType };
}

// A model's answer without its bytes, and the images in it: by URL, or as base64. An image with a URL is shown small and
// linked; one without comes whole, because it could not be fetched later.
export async function presentAnswer(data: unknown, pictures: Pictures): Promise<ContentBlock[]> {
  const found: (() => Promise<ContentBlock[]>)[] = [];
  const text = JSON.stringify(
    data,
    (_name, value: unknown) => {
      if (typeof value === "bigint") return `${value}`;
      if (typeof value !== "string") return value;
      const encoded = /^(?:data:image\/[\w.+-]+;base64,)?([A-Za-z0-9+/]{64,}={0,2})$/.exec(value)?.[1];
      if (encoded !== undefined) {
        found.push(async () => [pictureBlock(Buffer.from(encoded, "base64"))].filter((block) => block !== null));
        return `(${Math.floor((encoded.length * 3) / 4)} bytes)`;
      }
      if (/^https?:\/\/\S+$/.test(value)) found.push(() => linkedPicture(value, pictures));
      return value;
    },
    1,
  );
  const blocks = await Promise.all(found.slice(0, picturesMax).map((show) => show().catch(() => [])));
  return [{ type: "text", text }, ...blocks.flat()];
}

async function linkedPicture(url: string, { openPicture, shrinkPicture }: Pictures): Promise<ContentBlock[]> {
  const bytes = await openPicture(url);
  const whole = bytes === null ? null : pictureBlock(bytes);
  if (bytes === null || whole?.type !== "image") return [];
  const small = bytes.length > wholeBytesMax ? await shrinkPicture(bytes).catch(() => null) : null;
  const shown = small === null ? whole : (pictureBlock(small) ?? whole);
  return [shown, linkTo(url, whole.mimeType, bytes.length)];
}

export function linkTo(uri: string, mimeType: string, bytes: number): ContentBlock {
  const name = new URL(uri).pathname.split("/").at(-1) || "file";
  return { type: "resource_link", uri, name, mimeType, size: bytes, description: "The full file." };
}
