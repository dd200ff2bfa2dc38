// Turns what a node reported into results: files under any key, and texts as text files. Spec, Output: nothing is
// silently dropped. Only non-results are left out: inputs shown again (`input`), and flags such as `animated`. Previews
// (`temp`) are marked as such, and the application may have deleted them.
import type { FileLocation } from "../application.ts";
import { typeByName } from "../file-type.ts";
import { isRecord, type JsonRecord } from "../line/json-record.ts";

export type NodeOutput =
  | {
      readonly kind: "file";
      readonly location: FileLocation;
      readonly name: string;
      // Null if the name does not tell.
      readonly contentType: string | null;
      // A preview, or a bare string that may not be a file: left out if the application has no such file.
      readonly isGuess: boolean;
    }
  | { readonly kind: "text"; readonly name: string; readonly text: string };

const outputLimits = {
  itemsMax: 10_000,
  textCharactersMax: 16 * 1024 * 1024,
  nameCharactersMax: 1_000,
  // The limits of an asset's name.
  partBytesMax: 255,
  nameBytesMax: 1_024,
} as const;

const textKeys = new Set(["text", "texts", "string", "strings"]);

export function nodeOutputs(output: JsonRecord): readonly NodeOutput[] {
  const found: NodeOutput[] = [];
  let texts = 0;
  for (const [key, value] of Object.entries(output)) {
    // Some nodes return a bare item instead of a list of one.
    for (const item of Array.isArray(value) ? value : [value]) {
      if (found.length >= outputLimits.itemsMax) return found;
      const result = isRecord(item) ? fileOf(item) : typeof item === "string" ? textOrName(key, item, texts + 1) : null;
      if (result === null) continue;
      if (result.kind === "text") texts += 1;
      found.push(result);
    }
  }
  return found;
}

function fileOf(item: JsonRecord): NodeOutput | null {
  const { filename, subfolder, type } = item;
  if (typeof filename !== "string" || type === "input") return null;
  const folder = type === "temp" ? "temp" : "output";
  return placed(filename, typeof subfolder === "string" ? subfolder : "", { folder, isGuess: folder === "temp" });
}

function textOrName(key: string, text: string, number: number): NodeOutput | null {
  if (textKeys.has(key))
    return { kind: "text", name: `text_${number}.txt`, text: text.slice(0, outputLimits.textCharactersMax) };
  return text.length <= outputLimits.nameCharactersMax && typeByName(bareName(text)) !== null ? named(text) : null;
}

const annotation = / \[(input|output|temp)\]$/;
const bareName = (text: string): string => text.replace(annotation, "");

// `sub/mesh.glb [output]`, the form that 3D viewers use.
function named(text: string): NodeOutput | null {
  const folder = annotation.exec(text)?.[1] ?? "output";
  if (folder !== "output") return null;
  const path = bareName(text).replaceAll("\\", "/");
  const cut = path.lastIndexOf("/");
  const subfolder = cut === -1 ? "" : path.slice(0, cut);
  return placed(path.slice(cut + 1), subfolder, { folder: "output", isGuess: true });
}

function placed(
  filename: string,
  subfolder: string,
  { folder, isGuess }: { readonly folder: "output" | "temp"; readonly isGuess: boolean },
): NodeOutput | null {
  const path = [...subfolder.split(/[\\/]/), ...filename.split(/[\\/]/)].filter((part) => part !== "" && part !== ".");
  const { nameCharactersMax } = outputLimits;
  // A name that leads outside is not valid, no matter where it came from.
  if (filename === "" || path.length === 0 || path.includes("..")) return null;
  if (filename.length + subfolder.length > nameCharactersMax) return null;
  const name = keptName(path);
  return {
    kind: "file",
    location: { name: filename, subfolder, folder },
    name,
    contentType: typeByName(name),
    isGuess,
  };
}

const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]/gu;

// The name as an asset. Applications write names that no asset may have (a blank before a slash is enough), but the file
// is still a result.
function keptName(path: readonly string[]): string {
  const parts = path.map((part) => {
    const end = endOf(part.replace(unprintable, "_").trim(), outputLimits.partBytesMax);
    return /^\.*$/.test(end) ? "_" : end;
  });
  const name = parts.join("/").replace(/^([A-Za-z]):/, "$1_");
  return Buffer.byteLength(name) <= outputLimits.nameBytesMax ? name : (parts.at(-1) ?? "_").replace(/^(.):/, "$1_");
}

// Keeps the end, because the extension says what it is.
function endOf(part: string, bytesMax: number): string {
  let end = part;
  while (Buffer.byteLength(end) > bytesMax) end = [...end].slice(1).join("");
  return end.trim();
}

// Two results are the same if they are the same file.
export function locationKey({ name, subfolder, folder }: FileLocation): string {
  return JSON.stringify([folder, subfolder, name]);
}
