// Pictures as an agent sees them: small enough for its context, else the address alone.
import type { ContentBlock } from "@modelcontextprotocol/server";

// A picture that a model answered with an address; null when it cannot be had.
export type OpenPicture = (url: string) => Promise<Buffer | null>;

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

// A model's answer in its own words, without the bytes, and the pictures it holds: by address, or as base64.
export async function presentAnswer(data: unknown, openPicture: OpenPicture): Promise<ContentBlock[]> {
  const pictures: (() => Promise<Buffer | null>)[] = [];
  const text = JSON.stringify(
    data,
    (_name, value: unknown) => {
      if (typeof value === "bigint") return `${value}`;
      if (typeof value !== "string") return value;
      const encoded = /^(?:data:image\/[\w.+-]+;base64,)?([A-Za-z0-9+/]{64,}={0,2})$/.exec(value)?.[1];
      if (encoded !== undefined) {
        pictures.push(async () => Buffer.from(encoded, "base64"));
        return `(${Math.floor((encoded.length * 3) / 4)} bytes)`;
      }
      if (/^https?:\/\/\S+$/.test(value)) pictures.push(() => openPicture(value));
      return value;
    },
    1,
  );
  const opened = await Promise.all(pictures.slice(0, picturesMax).map((open) => open().catch(() => null)));
  const blocks = opened
    .flatMap((bytes) => (bytes === null ? [] : [pictureBlock(bytes)]))
    .filter((block) => block !== null);
  return [{ type: "text", text }, ...blocks];
}
