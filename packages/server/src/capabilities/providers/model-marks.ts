// When a model was deprecated, when it will be retired, and when a real call of it last succeeded. An operator's dates
// override the definition's. Pure.
import { createHash } from "node:crypto";
import type { ModelDefinition } from "./definition.ts";

// As it is stored.
export interface StoredMarks {
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly verifiedDigest: string | null;
}

export interface ModelMarks {
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
  // Null if never, or only with a different definition.
  readonly verifiedAt: Date | null;
}

export const noMarks: ModelMarks = { deprecatedAt: null, sunsetAt: null, verifiedAt: null };

export function marksOf(model: ModelDefinition, stored: StoredMarks | undefined): ModelMarks {
  const own = { deprecatedAt: dateOf(model.deprecated_at), sunsetAt: dateOf(model.sunset_at) };
  const { deprecatedAt, sunsetAt } = stored?.deprecatedAt ? stored : own;
  const isTried = stored?.verifiedDigest != null && stored.verifiedDigest === modelDigest(model);
  return { deprecatedAt, sunsetAt, verifiedAt: isTried ? stored.verifiedAt : null };
}

export function isGone({ sunsetAt }: ModelMarks, now: Date): boolean {
  return sunsetAt !== null && sunsetAt.getTime() <= now.getTime();
}

export function modelDigest(model: ModelDefinition): string {
  return createHash("sha256").update(JSON.stringify(model)).digest("hex");
}

function dateOf(text: string | undefined): Date | null {
  const date = text === undefined ? null : new Date(text);
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}
