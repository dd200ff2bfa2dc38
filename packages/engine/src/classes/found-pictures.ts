// Finds pictures in a partner's native answer. Partners differ, so we search in reading order for data URLs, members known to
// hold base64, and URLs that are likely pictures. Bytes win over URLs.
import { isRecord } from "../graph/graph.ts";

export type FoundPicture = { readonly base64: string } | { readonly url: string };

const base64Members = new Set(["b64_json", "base64", "image_base64", "b64", "data", "image", "bytes"]);
const urlMembers = new Set(["url", "image_url", "image", "output_url", "uri", "sample"]);
const depthMax = 12;

export function foundPictures(answer: unknown): FoundPicture[] {
  const found: FoundPicture[] = [];
  search(answer, "", depthMax, found);
  return [...found.filter((picture) => "base64" in picture), ...found.filter((picture) => "url" in picture)];
}

function search(value: unknown, member: string, depth: number, found: FoundPicture[]): void {
  if (depth === 0) return;
  if (typeof value === "string") {
    const picture = readText(value, member);
    if (picture) found.push(picture);
  } else if (Array.isArray(value)) for (const item of value) search(item, member, depth - 1, found);
  else if (isRecord(value)) for (const [name, item] of Object.entries(value)) search(item, name, depth - 1, found);
}

function readText(text: string, member: string): FoundPicture | null {
  const inline = /^data:image\/[a-z0-9.+-]+;base64,/i.exec(text);
  if (inline) return { base64: text.slice(inline[0].length) };
  if (/^https?:\/\//i.test(text))
    return urlMembers.has(member) || member === "output" || member === "images" ? { url: text } : null;
  const isBase64 = base64Members.has(member) && text.length >= 64 && /^[a-z0-9+/_=\s-]+$/i.test(text.slice(0, 1000));
  return isBase64 ? { base64: text } : null;
}
