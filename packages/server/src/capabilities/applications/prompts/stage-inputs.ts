// Uploads the files a graph loads to the application: every asset reference becomes the name under which the application
// has the file. Names are derived from the content, so a file is there once no matter how often it is used. The name that
// counts is the one the application returns.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type AssetContent, type FileReference, fileReferenceOf } from "@atelier/engine";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Application } from "../application.ts";
import { extensionOf } from "../file-type.ts";
import { isRecord } from "../line/json-record.ts";

// `name` is the upload name; only its extension is used.
export type StagedContent = AssetContent & { readonly name?: string };

export interface StageDeps {
  readonly application: Pick<Application, "upload">;
  openFile(workspaceId: WorkspaceId, reference: FileReference): Promise<StagedContent | null>;
  placedName?(workspaceId: WorkspaceId, reference: FileReference): Promise<string | null>;
}

export class InputMissing extends Error {
  readonly nodeId: string;

  constructor(nodeId: string) {
    super("A file that the graph loads no longer exists.");
    this.name = "InputMissing";
    this.nodeId = nodeId;
  }
}

type AssetReference = Extract<FileReference, { kind: "asset" }>;

// Returns the graph for the application; the given one is not changed.
export async function stageInputs(
  deps: StageDeps,
  workspaceId: WorkspaceId,
  graph: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const names = new Map<string, string>();
  for (const [nodeId, node] of Object.entries(graph)) {
    for (const reference of assetReferences(node)) {
      if (names.has(reference.id)) continue;
      const name = await stage(deps, workspaceId, reference, signal);
      if (name === null) throw new InputMissing(nodeId);
      names.set(reference.id, name);
    }
  }
  return names.size === 0
    ? graph
    : Object.fromEntries(Object.entries(graph).map(([nodeId, node]) => [nodeId, withNames(node, names)]));
}

function assetOf(value: unknown): AssetReference | null {
  const reference = isRecord(value) ? fileReferenceOf(value) : null;
  return reference?.kind === "asset" ? reference : null;
}

function assetReferences(value: unknown): AssetReference[] {
  if (Array.isArray(value)) return value.flatMap(assetReferences);
  const reference = assetOf(value);
  if (reference !== null) return [reference];
  return isRecord(value) ? Object.values(value).flatMap(assetReferences) : [];
}

function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, names));
  const reference = assetOf(value);
  if (reference !== null) return names.get(reference.id) ?? value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNames(member, names)]));
}

async function stage(
  deps: StageDeps,
  workspaceId: WorkspaceId,
  reference: AssetReference,
  signal: AbortSignal,
): Promise<string | null> {
  const placed = (await deps.placedName?.(workspaceId, reference)) ?? modelName(reference.name);
  if (placed !== null) return placed;
  const content = await deps.openFile(workspaceId, reference);
  if (content === null) return null;
  const name = stagedName(content, reference);
  return deps.application.upload({ name, source: sourceOf(content), signal });
}

// Models are not uploaded with a job. Loaders name a model below its kind: `models/checkpoints/sub/a.safetensors` is
// `sub/a.safetensors` there.
export function modelName(name: string | null): string | null {
  return /^models\/[^/]+\/(.+)$/.exec(name ?? "")?.[1] ?? null;
}

export function stagedName(content: StagedContent, reference: AssetReference): string {
  const known = content.hash?.replace(/[^0-9a-zA-Z]/g, "").slice(-64);
  const digest = known || ("bytes" in content ? sha256(content.bytes) : sha256(Buffer.from(reference.id)));
  const ending = extensionOf(content.name ?? reference.name ?? "");
  return `atelier-${digest.slice(0, 40)}${ending === null ? "" : `.${ending}`}`;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function sourceOf(content: AssetContent): AsyncIterable<Uint8Array> {
  if ("path" in content) return createReadStream(content.path);
  return "stream" in content ? content.stream : oneChunk(content.bytes);
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
