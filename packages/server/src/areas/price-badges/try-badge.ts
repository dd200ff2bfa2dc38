// The dry run: everything a write would report about a badge, and its prices, without storing it.

import { type BadgeProof, isProven, type Sample } from "../../capabilities/badge-proof/index.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import { Fault } from "../../foundation/fault.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { type BadgeRange, overlap, platforms, rangeText } from "./badge-row.ts";
import { listLiveRows } from "./badge-store.ts";
import { type InputFinding, readRowInput } from "./read-row-input.ts";
import { readStates } from "./read-states.ts";

export interface TriedBadge {
  readonly accepted: boolean;
  readonly findings: readonly InputFinding[];
  readonly samples: readonly Sample[];
}

export interface TryBadgeDeps {
  readonly database: Queryable;
  readonly proof: Pick<BadgeProof, "prove">;
}

export async function tryBadge(deps: TryBadgeDeps, body: unknown): Promise<TriedBadge> {
  if (!isRecord(body)) throw new Fault("invalid_request", "The body must be a JSON object with the badge to try.");
  const states = readStates(body["probes"]);
  if (!states) throw new Fault("invalid_request", "probes must be a list of at most 100 node states.");
  const proof = await deps.proof.prove(body["badge"], { states });
  const findings = [...proof.findings, ...(await rowFindings(deps.database, body))];
  return { accepted: isProven(findings), findings, samples: proof.samples };
}

// The row's own fields are checked if given; leaving them out of a dry run is fine.
async function rowFindings(db: Queryable, body: Readonly<Record<string, unknown>>): Promise<readonly InputFinding[]> {
  const usual = { node_id: "ANode", platforms: [...platforms], from_version: "0.0.0" };
  const read = readRowInput({ ...usual, ...definedOnly(body) });
  if (!read.ok) return read.findings;
  if (body["node_id"] === undefined || body["from_version"] === undefined) return [];
  return overlapFindings(db, read.input);
}

async function overlapFindings(db: Queryable, range: BadgeRange): Promise<readonly InputFinding[]> {
  const others = await listLiveRows(db, range.nodeId);
  return others
    .filter((other) => overlap(other, range))
    .map((other) => ({
      severity: "warning",
      code: "overlap",
      message: `${range.nodeId} already has badge ${other.id} (${rangeText(other)}). End or replace it first.`,
      path: "/from_version",
    }));
}

function definedOnly(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
