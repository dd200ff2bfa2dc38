// Job labels as people read and write them.

import type { Job } from "@atelier/sdk";
import { api as words } from "#strings/api";

// The text itself, or its key=value pairs.
export function labelsOf(metadata: Job["metadata"]): readonly string[] {
  if (metadata === undefined || metadata === "") return [];
  if (typeof metadata === "string") return [metadata];
  return Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
}

// `shot=7, campaign=spring sale` is a map; anything else is plain text.
export function metadataIn(text: string): Job["metadata"] | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const pairs = trimmed.split(/\s*[,;\n]\s*/).filter((pair) => pair !== "");
  if (!pairs.every((pair) => pair.indexOf("=") > 0)) return trimmed;
  return Object.fromEntries(
    pairs.map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

// The labels of a run of a saved workflow: its id is one of them, so that the server finds its latest run.
export function labelledAs(workflowId: string, text: string): Job["metadata"] {
  const metadata = metadataIn(text) ?? {};
  return { ...(typeof metadata === "string" ? { name: metadata } : metadata), workflow: workflowId };
}

// The labels of one job of a batch: all of them share `batch`, by which lists find them.
export function labelledInBatch(
  metadata: Job["metadata"] | undefined,
  batch: string,
  number: number,
  of: number,
): Job["metadata"] {
  const labels = typeof metadata === "string" ? { name: metadata } : (metadata ?? {});
  return { ...labels, batch, run: `${number} of ${of}` };
}

// Null for a job that is in no batch. `size`: how many jobs the batch has, if the label of the job says so.
export function batchOf(metadata: Job["metadata"]): { readonly id: string; readonly size: number | null } | null {
  if (typeof metadata !== "object" || metadata === null || !metadata["batch"]) return null;
  const size = /^\d+ of (\d+)$/.exec(metadata["run"] ?? "")?.[1];
  return { id: metadata["batch"], size: size === undefined ? null : Number(size) };
}

// What the server would refuse, worded for the field; null if nothing.
export function wrongIn(metadata: Job["metadata"] | undefined): string | null {
  if (metadata === undefined) return null;
  if (typeof metadata === "string") return bytesIn(metadata) > 1024 ? words.labels.longName : null;
  const labels = Object.entries(metadata);
  const key = labels.find(([name]) => !/^[\w.-]{1,40}$/.test(name))?.[0];
  if (key !== undefined) return words.labels.key(key);
  const long = labels.find(([, value]) => bytesIn(value) > 256)?.[0];
  if (long !== undefined) return words.labels.longValue(long);
  return labels.length > 16 ? words.labels.tooMany : null;
}

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

export const metadataText = (metadata: Job["metadata"]): string => labelsOf(metadata).join(", ");

// A label is a job's text, or key=value if the job has a map.
export function labelQuery(label: string): Readonly<Record<string, string>> {
  const at = label.indexOf("=");
  return at < 1 ? { metadata: label } : { [`metadata[${label.slice(0, at)}]`]: label.slice(at + 1) };
}
