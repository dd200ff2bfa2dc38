// Classes that load a file offer the caller's own uploads, as an application offers the files of its input folder. The classes are
// written once for all, with a mark where the names belong; each workspace's names are put there.
import { isRecord } from "../../foundation/json/json-record.ts";

const kinds = ["image", "video", "audio", "file"] as const;
export type FileKind = (typeof kinds)[number];
export type FileNames = Readonly<Record<FileKind, readonly string[]>>;

const markOf = (kind: FileKind): string => `atelier:files:${kind}`;

// `inputs`: those that name a file.
export function withFileMarks(description: unknown, inputs: readonly string[]): unknown {
  if (inputs.length === 0 || !isRecord(description) || !isRecord(description["input"])) return description;
  const groups = Object.entries(description["input"]).map(([group, members]) => [
    group,
    isRecord(members)
      ? Object.fromEntries(
          Object.entries(members).map(([name, given]) => [name, inputs.includes(name) ? marked(given) : given]),
        )
      : members,
  ]);
  return { ...description, input: Object.fromEntries(groups) };
}

// A list of choices, or a COMBO whose options name them.
function marked(given: unknown): unknown {
  if (!Array.isArray(given)) return given;
  const [type, options, ...more]: unknown[] = given;
  const mark = [markOf(kindOf(options))];
  if (Array.isArray(type)) return [mark, ...given.slice(1)];
  return type === "COMBO" && isRecord(options) ? [type, { ...options, options: mark }, ...more] : given;
}

function kindOf(options: unknown): FileKind {
  const has = (name: string) => isRecord(options) && options[name] === true;
  if (has("video_upload")) return "video";
  if (has("image_upload") || has("animated_image_upload")) return "image";
  return has("audio_upload") ? "audio" : "file";
}

export function withFileNames(text: string, names: FileNames): string {
  return kinds.reduce(
    (whole, kind) => whole.replaceAll(JSON.stringify([markOf(kind)]), () => JSON.stringify(names[kind])),
    text,
  );
}
