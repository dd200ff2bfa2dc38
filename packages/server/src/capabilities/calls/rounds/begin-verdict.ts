// What became of a call that wanted to begin.
import type { Opened } from "../call/call-opening.ts";

export type BeginVerdict = Opened | { readonly kind: "again" } | { readonly kind: "no_wallet" };

// How many slots a workspace may have, and how many of its waiting calls are offered one now.
export interface SlotBounds {
  readonly workspaceId: string;
  readonly slotsMax: number;
  readonly costlySlotsMax: number;
  readonly count: number;
}
