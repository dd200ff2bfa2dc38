// Finds pictures, videos and sounds in a model's own answer. Providers differ, so we search in reading order for data URLs,
// members known to hold base64, and URLs that are likely media.
import type { ModelResult } from "@atelier/sdk";

export type MediaKind = "image" | "video" | "audio" | "file";

export type Medium = (
  | { readonly from: "bytes"; readonly type: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }
  | { readonly from: "address"; readonly url: string; readonly kind: MediaKind; readonly name: string }
) & {
  // An asset of this workspace already: an output of a work.
  readonly assetId?: string;
};

const mediaPath = /\.(png|jpe?g|webp|gif|avif|mp4|webm|mov|mp3|wav|flac|ogg|opus|glb)$/i;
const mediaMember = /(^|_)(url|uri|sample|output|image|video|audio)s?$/i;
// Status, cancel and callback URLs are not media.
const followUp =
  /(^|_)(status|poll|polling|cancel|stop|response|request|webhook|callback|next|self|get|logs?|stream)_ur[li]$/i;
const base64Member = /(b64|base64|bytes)/i;
const mediaMax = 24;
const depthMax = 14;

export function foundMedia(answer: unknown): Medium[] {
  const found: Medium[] = [];
  const outputs = outputsOfWork(answer);
  search(outputs ?? answer, "", depthMax, found, "");
  return outputs === null ? found.map(({ assetId: _foreign, ...medium }) => medium) : found;
}

// An answer that is not JSON is the medium itself.
export function mediumOfBytes({ bytes, contentType }: Pick<ModelResult<unknown>, "bytes" | "contentType">): Medium {
  const own = bytes as Uint8Array<ArrayBuffer>;
  const type = sniffed(own) ?? (contentType || "application/octet-stream");
  return { from: "bytes", bytes: own, type, name: `output.${extensionOf(type)}` };
}

// The answer of a work also has the inputs that were used, and pictures among those were not made by it.
function outputsOfWork(answer: unknown): object | null {
  if (typeof answer !== "object" || answer === null || !("work" in answer) || !("outputs" in answer)) return null;
  return typeof answer.outputs === "object" ? answer.outputs : null;
}

function search(value: unknown, member: string, depth: number, found: Medium[], typeBeside: string): void {
  if (depth === 0 || found.length >= mediaMax) return;
  if (typeof value === "string") {
    const medium = mediumOf(value, member, found.length + 1, typeBeside);
    if (medium !== null && !found.some((each) => each.from === "address" && each.url === value)) found.push(medium);
  } else if (Array.isArray(value)) for (const each of value) search(each, member, depth - 1, found, typeBeside);
  else if (typeof value === "object" && value !== null) {
    const type = typeOf(value);
    const own = assetIn(value, found.length + 1, type);
    if (own !== null) found.push(own);
    else for (const [name, each] of Object.entries(value)) search(each, name, depth - 1, found, type);
  }
}

function assetIn(value: object, number: number, type: string): Medium | null {
  const { asset_id: assetId, url, name } = value as Readonly<Record<string, unknown>>;
  if (typeof assetId !== "string" || typeof url !== "string") return null;
  const medium = mediumOf(url, "url", number, type);
  return medium === null ? null : { ...medium, assetId, ...(typeof name === "string" && name !== "" ? { name } : {}) };
}

function typeOf(value: object): string {
  for (const name of ["content_type", "mime_type", "mimeType", "media_type"]) {
    const said = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof said === "string") return said;
  }
  return "";
}

function mediumOf(text: string, member: string, number: number, typeBeside: string): Medium | null {
  const [, type, data] = /^data:([\w.+-]+\/[\w.+-]+);base64,(.+)$/s.exec(text) ?? [];
  if (type !== undefined && data !== undefined) return ofBytes(data, type, number);
  if (/^https?:\/\//i.test(text)) {
    if (!URL.canParse(text)) return null;
    const { pathname } = new URL(text);
    const isMedia = mediaPath.test(pathname) || (mediaMember.test(member) && !followUp.test(member));
    if (!isMedia) return null;
    const name = decodeURIComponentSafely(pathname.split("/").at(-1) ?? "") || `output-${number}`;
    return { from: "address", url: text, kind: kindOf(typeBeside || typeByName(pathname)), name };
  }
  const isBase64 =
    (base64Member.test(member) || (member === "data" && typeBeside !== "")) &&
    text.length >= 64 &&
    /^[A-Za-z0-9+/_=\s-]+$/.test(text.slice(0, 1_000));
  return isBase64 ? ofBytes(text, typeBeside, number) : null;
}

function ofBytes(base64: string, type: string, number: number): Medium | null {
  try {
    const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/").replaceAll(/\s/g, ""));
    const bytes = Uint8Array.from(text, (each) => each.charCodeAt(0));
    const known = sniffed(bytes) ?? (type || "application/octet-stream");
    return { from: "bytes", type: known, bytes, name: `output-${number}.${extensionOf(known)}` };
  } catch {
    return null;
  }
}

// The bytes decide the type; we use the provider's only if they do not.
export function sniffed(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith("\u0089PNG")) return "image/png";
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (head.startsWith("GIF8")) return "image/gif";
  if (head.startsWith("RIFF")) return head.slice(8, 12) === "WEBP" ? "image/webp" : "audio/wav";
  if (head.startsWith("ID3") || head.startsWith("\u00ff\u00fb")) return "audio/mpeg";
  if (head.startsWith("fLaC")) return "audio/flac";
  if (head.startsWith("OggS")) return "audio/ogg";
  if (head.startsWith("\u001aE\u00df\u00a3")) return "video/webm";
  return head.slice(4, 8) === "ftyp" ? (head.slice(8, 12) === "avif" ? "image/avif" : "video/mp4") : null;
}

export function kindOf(type: string): MediaKind {
  const [family] = type.split("/");
  // An SVG is a document that may contain scripts, so we offer it as a file.
  if (type.startsWith("image/svg")) return "file";
  return family === "image" || family === "video" || family === "audio" ? family : "file";
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  flac: "audio/flac",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  txt: "text/plain",
  json: "application/json",
};

const typeByName = (path: string): string => types[path.split(".").at(-1)?.toLowerCase() ?? ""] ?? "";

export function extensionOf(type: string): string {
  const plain = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return Object.entries(types).find(([, each]) => each === plain)?.[0] ?? "bin";
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll(/[/\\]/g, "_").slice(-100);
  } catch {
    return "";
  }
}

// Texts a model wrote for people, wherever they are.
export function foundText(answer: unknown): string | null {
  const texts: string[] = [];
  const look = (value: unknown, member: string, depth: number): void => {
    if (depth === 0 || texts.length > 8) return;
    if (typeof value === "string") {
      if (/^(text|output_text|content|message|completion|answer|response)$/.test(member) && value.trim() !== "")
        texts.push(value);
    } else if (Array.isArray(value)) for (const each of value) look(each, member, depth - 1);
    else if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value)) look(each, name, depth - 1);
  };
  look(answer, "", 10);
  return texts.length === 0 ? null : texts.join("\n\n");
}
