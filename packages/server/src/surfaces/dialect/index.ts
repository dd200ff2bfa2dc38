// The dialect: alternative spellings and shapes at the rim, so that unmodified public clients work against us (decisions,
// section 9). A process asks for it once, for its surface; if it is off, it gets null and uses its areas unchanged.
import type { Clock } from "../../foundation/clock.ts";
import type { Area } from "../../foundation/http/area.ts";
import type { Rim } from "../../foundation/http/rim.ts";
import { theirKey } from "./keys.ts";
import { nodeNames } from "./names.ts";
import { respelledAreas } from "./respell-areas.ts";
import { comfyRim } from "./rim.ts";
import { type SurfaceName, variants } from "./variants.ts";

export { isOurKey, ourKey } from "./keys.ts";
export { withPortKey } from "./port-key.ts";
export { switchHint } from "./switch-hint.ts";

export type DialectName = "off" | "comfy" | "openai" | "comfy,openai";

// The clients that a setting names. The entrance for OpenAI-shaped ones is an area of its own and respells nothing.
export const speaksComfy = (name: DialectName): boolean => name === "comfy" || name === "comfy,openai";
export const speaksOpenai = (name: DialectName): boolean => name === "openai" || name === "comfy,openai";

export interface Dialect {
  readonly rim: Rim;
  // The same areas, with bodies respelled as the table says.
  respell(areas: readonly Area[]): readonly Area[];
  // A key as shown to people; either spelling is accepted.
  showKey(key: string): string;
  // The partner proxy as the application's partner nodes know it: further tools, 409s that say what became of a key, and
  // headers with cost and duration.
  readonly partnerNodes: boolean;
  // The public name of one of our node classes, if it has one.
  nodeName(ours: string): string | undefined;
  // The expiry shown for an unsigned URL: that of its asset, and never before the time of the request. If absent, none is
  // shown.
  readonly unsignedUrlEnd?: (asset: { readonly createdAt: Date }, keepDays: number) => Date;
}

export interface DialectDeps {
  readonly name: DialectName;
  readonly surface: SurfaceName;
  readonly clock: Clock;
  // For amounts that public clients read in dollars.
  readonly creditsPerUsd: number;
}

// The audience of the tokens that the application's partner nodes renew. Null if there are no such tokens.
export function partnerTokenAudience(name: DialectName): string | null {
  return speaksComfy(name) ? "comfy-partner-node" : null;
}

export function dialectOf({ name, surface, clock, creditsPerUsd }: DialectDeps): Dialect | null {
  if (!speaksComfy(name)) return null;
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

// An older asset that still exists must not appear to have expired already.
function endOf(clock: Clock) {
  return ({ createdAt }: { readonly createdAt: Date }, keepDays: number): Date =>
    new Date(Math.max(createdAt.getTime() + keepDays * dayMs, clock.now().getTime() + dayMs));
}
