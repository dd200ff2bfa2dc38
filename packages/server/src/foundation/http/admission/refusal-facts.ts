// What the log says about a request that was refused, so that an operator can tell who it was without asking them: where
// from, for what, and by which key of which workspace, as far as that was known by then. Never a secret: some addresses
// carry one in their path, and whatever is long and no id is cut.
import { isUuid } from "../../ids.ts";
import type { Arrival } from "../area.ts";

export interface RefusalFacts {
  readonly peer: string;
  readonly path: string;
  readonly workspaceId?: string;
  readonly keyId?: string;
  // The operator's or worker's token, by its record.
  readonly tokenId?: string;
}

const pathLengthMax = 300;

export function refusalFacts(arrival: Pick<Arrival, "peer" | "path">, caller: unknown): RefusalFacts {
  return { peer: arrival.peer, path: shownPath(arrival.path), ...callerFacts(caller) };
}

export function shownPath(path: string): string {
  const shown = path.replace(/[^/]{24,}/g, (piece) => (isUuid(piece) ? piece : `${piece.slice(0, 6)}…`));
  return shown.length > pathLengthMax ? `${shown.slice(0, pathLengthMax)}…` : shown;
}

// Areas know their callers, this floor does not; what they have in common are the names of these members.
function callerFacts(caller: unknown): Omit<RefusalFacts, "peer" | "path"> {
  if (typeof caller !== "object" || caller === null) return {};
  const known = "principal" in caller && typeof caller.principal === "object" ? { ...caller.principal } : { ...caller };
  const { workspaceId, keyId, tokenId }: Readonly<Record<string, unknown>> = { ...known };
  return {
    ...(typeof workspaceId === "string" ? { workspaceId } : {}),
    ...(typeof keyId === "string" ? { keyId } : {}),
    ...(typeof tokenId === "string" ? { tokenId } : {}),
  };
}
