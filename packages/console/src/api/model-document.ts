// What a model's own OpenAPI document says about its input and output, and which kind of thing it makes.
import { isRecord } from "./json-record.ts";
import type { Schema } from "./json-schema.ts";

export interface ModelDocument {
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly input: Schema;
  // Null if the answer is not JSON.
  readonly output: Schema | null;
  readonly outputType: string;
  readonly kind: ModelKind;
}

export type ModelKind = "image" | "video" | "audio" | "text" | "other";
export const modelKinds: readonly ModelKind[] = ["image", "video", "audio", "text", "other"];

export function documentOf(id: string, document: unknown): ModelDocument {
  const info = recordAt(document, "info");
  const [path] = Object.values(recordAt(document, "paths"));
  const post = recordAt(path, "post");
  const input = recordAt(post, "requestBody", "content", "application/json", "schema");
  const content = recordAt(post, "responses", "200", "content");
  const outputType = Object.keys(content)[0] ?? "application/json";
  const described = recordAt(content, "application/json", "schema");
  const components = recordAt(document, "components");
  const withParts = (schema: Schema): Schema =>
    Object.keys(components).length === 0 ? schema : { ...schema, components };
  const description = typeof info["description"] === "string" ? info["description"] : "";
  return {
    title: typeof info["title"] === "string" ? info["title"] : id,
    summary: description.split("\n")[0] ?? "",
    description,
    input: withParts(input),
    output: outputType === "application/json" ? withParts(described) : null,
    outputType,
    kind: kindOf(id, outputType, described, description),
  };
}

function recordAt(value: unknown, ...names: readonly string[]): Schema {
  let here = value;
  for (const name of names) here = isRecord(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return isRecord(here) ? here : {};
}

// No document states the kind directly, so we infer it: from the answer's type, then its member names, then the description.
function kindOf(id: string, type: string, output: Schema, description: string): ModelKind {
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("video/")) return "video";
  if (type.startsWith("audio/")) return "audio";
  const names = new Set<string>();
  collect(output, names, 6);
  const has = (...words: readonly string[]) => words.some((word) => names.has(word));
  if (has("video", "videos", "video_url")) return "video";
  if (has("audio", "audio_url", "audio_base64")) return "audio";
  if (has("images", "image", "image_url", "b64_json", "sample")) return "image";
  const said = `${id} ${description}`.toLowerCase();
  if (/\b(video|film|clip|moving)/.test(said)) return "video";
  if (/\b(voice|speech|sound|music|audio)/.test(said)) return "audio";
  if (/\b(picture|image|photo|draw)/.test(said)) return "image";
  return has("text", "content", "choices", "message", "candidates") || /\b(text|chat|sentence|language)/.test(said)
    ? "text"
    : "other";
}

function collect(schema: unknown, names: Set<string>, depth: number): void {
  if (!isRecord(schema) || depth === 0) return;
  if (isRecord(schema["properties"]))
    for (const [name, each] of Object.entries(schema["properties"])) {
      names.add(name);
      collect(each, names, depth - 1);
    }
  for (const word of ["items", "anyOf", "oneOf", "allOf"])
    for (const each of [schema[word]].flat()) collect(each, names, depth - 1);
}
