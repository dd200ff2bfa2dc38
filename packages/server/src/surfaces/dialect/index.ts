// The dialect: alternative spellings and shapes at the rim, so that unmodified public clients work against us (decisions,
// section 9). A process asks for it once, for its surface; where it is off, it gets null and hands on what it has.
import type { Clock } from "../../foundation/clock.ts";
import type { Area } from "../../foundation/http/area.ts";
import type { Rim } from "../../foundation/http/rim.ts";
import { theirKey } from "./keys.ts";
import { nodeNames } from "./names.ts";
import { respelledAreas } from "./respell-areas.ts";
import { comfyRim } from "./rim.ts";
import { type SurfaceName, variants } from "./variants.ts";

export { isOurKey, ourKey } from "./keys.ts";
export { switchHint } from "./switch-hint.ts";

export type DialectName = "off" | "comfy";

export interface Dialect {
  readonly rim: Rim;
  // The same areas, whose bodies are respelled where the table says so.
  respell(areas: readonly Area[]): readonly Area[];
  // A key as it is shown to people; either spelling is accepted.
  showKey(key: string): string;
  // The partner proxy as the application's partner nodes know it: further tools, 409s that say what became of a key, and
  // headers that tell cost and duration.
  readonly partnerNodes: boolean;
  // The public name of a node class of ours, if it has one.
  nodeName(ours: string): string | undefined;
  // When an unsigned URL is said to end: with what it leads to, and not before it is asked for. Absent: it tells none.
  readonly unsignedUrlEnd?: (asset: { readonly createdAt: Date }, keepDays: number) => Date;
}

export interface DialectDeps {
  readonly name: DialectName;
  readonly surface: SurfaceName;
  readonly clock: Clock;
  // For amounts that public clients read in dollars.
  readonly creditsPerUsd: number;
}

// For whom the tokens are that the application's partner nodes renew; null: there are no such tokens.
export function partnerTokenAudience(name: DialectName): string | null {
  return name === "comfy" ? "comfy-partner-node" : null;
}

export function dialectOf({ name, surface, clock, creditsPerUsd }: DialectDeps): Dialect | null {
  if (name === "off") return null;
  const declared = variants[surface];
  const rim = comfyRim({ clock, hasExpiryHint: declared.has("expiry hint") });
  return {
    rim,
    respell: (areas) => respelledAreas(areas, { rim, variants: declared, clock, creditsPerUsd }),
    showKey: (key) => (declared.has("shown keys") ? theirKey(key) : key),
    partnerNodes: declared.has("partner nodes"),
    nodeName: (ours) => (declared.has("badge names") ? nodeNames.get(ours) : undefined),
    ...(declared.has("expiry of unsigned URLs") ? { unsignedUrlEnd: endOf(clock) } : {}),
  };
}

const dayMs = 86_400_000;

// What is older and still there does not end in the past.
function endOf(clock: Clock) {
  return ({ createdAt }: { readonly createdAt: Date }, keepDays: number): Date =>
    new Date(Math.max(createdAt.getTime() + keepDays * dayMs, clock.now().getTime() + dayMs));
}
