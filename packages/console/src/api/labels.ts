// Labels of jobs as people read and write them.
import type { Job } from "@atelier/sdk";

// A text, or pairs.
export function labelsOf(metadata: Job["metadata"]): readonly string[] {
  if (metadata === undefined || metadata === "") return [];
  if (typeof metadata === "string") return [metadata];
  return Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
}

// `shot=7, campaign=spring sale` is a map; anything else is a text.
export function metadataIn(text: string): Job["metadata"] | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const pairs = trimmed.split(/\s*[,;\n]\s*/).filter((pair) => pair !== "");
  if (!pairs.every((pair) => pair.indexOf("=") > 0)) return trimmed;
  return Object.fromEntries(
    pairs.map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

export const metadataText = (metadata: Job["metadata"]): string => labelsOf(metadata).join(", ");
