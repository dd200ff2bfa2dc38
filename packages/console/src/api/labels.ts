// Job labels as people read and write them.
import type { Job } from "@atelier/sdk";

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

// What the server would refuse, worded for the field; null if nothing.
export function wrongLabels(text: string): string | null {
  const metadata = metadataIn(text);
  if (metadata === undefined) return null;
  if (typeof metadata === "string") return bytesIn(metadata) > 1024 ? "A name has at most 1,024 bytes." : null;
  const labels = Object.entries(metadata);
  const key = labels.find(([name]) => !/^[\w.-]{1,40}$/.test(name))?.[0];
  if (key !== undefined) return `“${key}” is no key: 1 to 40 letters, digits, and the signs _ - .`;
  const long = labels.find(([, value]) => bytesIn(value) > 256)?.[0];
  if (long !== undefined) return `The value of ${long} has more than 256 bytes.`;
  return labels.length > 16 ? "A job has at most 16 labels." : null;
}

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

export const metadataText = (metadata: Job["metadata"]): string => labelsOf(metadata).join(", ");
