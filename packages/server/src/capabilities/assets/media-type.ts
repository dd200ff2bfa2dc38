// Decides the type an asset is served as. The declared type is stored and shown but never served: a file that a browser
// may show is served under the type of its bytes, text only as plain text, and everything else as a download. So a page,
// an SVG with script or a polyglot declared as a picture never reaches a browser as something it would run.
import { Fault } from "../../foundation/fault.ts";
import { looksLikeText, sniffType } from "./addresses/signature.ts";

export type AssetKind = "image" | "video" | "audio" | "text" | "file" | "latent";

export const assetKinds: readonly AssetKind[] = ["image", "video", "audio", "text", "file", "latent"];

// Decisions, section 1: attachment unless it is a raster image, video, audio or plain text.
const shownTypes = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/tiff",
  "video/mp4",
  "video/webm",
  "video/ogg",
  "video/quicktime",
  "video/x-matroska",
  "audio/mpeg",
  "audio/mp4",
  "audio/ogg",
  "audio/wav",
  "audio/flac",
]);
const plainText = "text/plain; charset=utf-8";
const plainBytes = "application/octet-stream";
// Harmless as downloads, and useful to programs that ask for them.
const savedTypes = new Set([
  "application/pdf",
  "application/zip",
  "application/gzip",
  "application/json",
  "image/heic",
]);

export interface MediaTypes {
  readonly servedType: string;
  readonly kind: AssetKind;
}

export function decideMediaTypes(declared: string, filePath: string | null, head: Uint8Array): MediaTypes {
  const essence = essenceOf(declared);
  const servedType = servedTypeOf(essence, head);
  return { servedType, kind: kindOf(servedType, essence, filePath, looksLikeText(head)) };
}

function servedTypeOf(essence: string, head: Uint8Array): string {
  const sniffed = sniffType(head);
  if (sniffed !== null) return shownTypes.has(sniffed) || savedTypes.has(sniffed) ? sniffed : plainBytes;
  if (!looksLikeText(head)) return plainBytes;
  if (essence === "application/json") return essence;
  return essence === "text/plain" || essence === "text/markdown" || essence === "text/csv" ? plainText : plainBytes;
}

// Decided by the bytes if they are recognized, else by the name and the declared type: a film in a container that no
// browser shows is still a film. This is a label for people and lists; the served type is decided above.
function kindOf(servedType: string, essence: string, filePath: string | null, isText: boolean): AssetKind {
  const known = familyOf(servedType);
  if (known !== null) return known;
  if (filePath?.toLowerCase().endsWith(".latent")) return "latent";
  if (servedType === plainText || servedType === "application/json") return "text";
  if (servedType === plainBytes && essence.startsWith("text/")) return "text";
  return servedType === plainBytes && !isText ? (familyOfName(filePath) ?? familyOf(essence) ?? "file") : "file";
}

type Family = "image" | "video" | "audio";

function familyOf(type: string): Family | null {
  const [family = ""] = type.split("/", 1);
  return family === "image" || family === "video" || family === "audio" ? family : null;
}

const endings: Readonly<Record<Family, string>> = {
  image: "bmp dds dib exr heic heif hdr ico j2k jp2 jxl pbm pfm pgm png pnm ppm psd qoi tga tif tiff",
  video: "3g2 3gp asf avi flv m2ts m2v m4v mkv mov mp4 mpeg mpg mxf ogv ts vob webm wmv y4m",
  audio: "aac ac3 aif aifc aiff amr ape au caf dts flac m4a mka mp2 mp3 oga ogg opus snd wav wma wv",
};

const familyOfEnding = new Map<string, Family>(
  (["image", "video", "audio"] as const).flatMap((family) =>
    endings[family].split(" ").map((ending): [string, Family] => [ending, family]),
  ),
);

function familyOfName(filePath: string | null): Family | null {
  const ending = /\.([a-z0-9]{1,8})$/.exec(filePath?.toLowerCase() ?? "")?.[1];
  return ending === undefined ? null : (familyOfEnding.get(ending) ?? null);
}

export function isShown(servedType: string): boolean {
  return servedType === plainText || shownTypes.has(servedType);
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const mediaTypePattern = new RegExp(`^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[ !#-[\\]-~]*"))*$`);
const contentTypeCharactersMax = 255;

export function requireContentType(text: string): string {
  if (text.length <= contentTypeCharactersMax && mediaTypePattern.test(text)) return text;
  throw new Fault("validation_failed", "content_type must be a media type such as image/png.", {
    details: { field: "content_type" },
  });
}

function essenceOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}
