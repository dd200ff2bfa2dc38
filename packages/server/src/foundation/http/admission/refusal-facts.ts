// What the log says about a refused request, so that an operator can tell who sent it without asking around: from where, for
// what, and with which key of which workspace, as far as known by then. Never a secret: some URLs carry one in their path, so
// long segments that are not ids are cut.
import { isUuid } from "../../ids.ts";
import type { Arrival } from "../area.ts";

export interface RefusalFacts {
  readonly peer: string;
  readonly path: string;
  readonly workspaceId?: string;
  readonly keyId?: string;
  // The id of the operator's or worker's token.
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

// Areas know the types of their callers; the foundation does not. These member names are what those types have in common.
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
