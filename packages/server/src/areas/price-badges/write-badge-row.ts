// The shared part of every badge write: prove first, then one transaction that takes the writers' lock, refuses an overlap,
// changes the row and appends to the audit. Then this process serves the new map immediately.
import type { BadgeProof } from "../../capabilities/badge-proof/index.ts";
import { canonicalBadge, isProven } from "../../capabilities/badge-proof/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/database.ts";
import { errorCode } from "../../foundation/database/database-errors.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Log } from "../../foundation/log.ts";
import type { BadgeAudit } from "./badge-audit.ts";
import type { BadgeMaps } from "./badge-maps.ts";
import { type BadgeRange, type BadgeRow, type BadgeRowId, overlap, rangeText } from "./badge-row.ts";
import { advanceRevision, findBadgeRow, listLiveRows } from "./badge-store.ts";
import { type InputFinding, readRowInput } from "./read-row-input.ts";

export interface BadgeWriteDeps {
  readonly database: Database;
  readonly proof: Pick<BadgeProof, "prove">;
  readonly maps: Pick<BadgeMaps, "refresh">;
  readonly audit: BadgeAudit;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

type ProvenBadge = BadgeRange & Pick<BadgeRow, "badgeText">;

// Issue, Bad input: a broken badge is refused with code, position and reason, and nothing is stored.
export async function proveInput(deps: Pick<BadgeWriteDeps, "proof">, body: unknown): Promise<ProvenBadge> {
  const read = readRowInput(body);
  if (!read.ok) throw refusedBy(read.findings);
  const { badge, findings } = await deps.proof.prove(read.input.badge, { states: read.input.states });
  if (!badge) throw refusedBy(findings);
  const { nodeId, platforms, fromVersion, untilVersion } = read.input;
  return { nodeId, platforms, fromVersion, untilVersion, badgeText: canonicalBadge(badge) };
}

export async function changeBadges<Result>(
  deps: Pick<BadgeWriteDeps, "database" | "maps" | "log">,
  change: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const result = await deps.database
    .transaction(async (tx) => {
      await advanceRevision(tx);
      return change(tx);
    })
    .catch(rethrowOverlap);
  // The change is committed. If the map cannot be read now, the next check of the revision picks it up.
  await deps.maps.refresh().catch((thrown: unknown) => deps.log.warn({ err: thrown }, "price badges were not re-read"));
  return result;
}

export async function requireBadgeRow(tx: Queryable, id: BadgeRowId | null): Promise<BadgeRow> {
  const row = id && (await findBadgeRow(tx, id));
  if (!row) throw new Fault("not_found", "There is no badge row with this id.");
  return row;
}

// Ranges of one node and platform never overlap (decisions, section 2). The database refuses it as well; this check says which
// rows are in the way.
export async function refuseOverlap(tx: Queryable, row: BadgeRow): Promise<void> {
  const others = await listLiveRows(tx, row.nodeId);
  const inTheWay = others.filter((other) => other.id !== row.id && overlap(other, row));
  if (inTheWay.length === 0) return;
  const named = inTheWay.map((other) => `${other.id} (${rangeText(other)})`).join(", ");
  throw new Fault("conflict", `${row.nodeId} already has a badge in this range: ${named}. End or replace it first.`, {
    details: { rows: inTheWay.map((other) => ({ id: other.id, range: rangeText(other) })) },
  });
}

function refusedBy(findings: readonly InputFinding[]): Fault {
  const first = findings.find((one) => !isProven([one]));
  const where = first?.position === undefined ? "" : ` (at ${first.position})`;
  const reason = first ? `${first.code}${where}: ${first.message}` : "see the findings.";
  return new Fault("invalid_request", `The badge was refused. ${reason}`, { details: { findings } });
}

// Only a writer that bypasses this file can hit the constraint.
function rethrowOverlap(thrown: unknown): never {
  if (errorCode(thrown) !== "23P01") throw thrown;
  throw new Fault("conflict", "The node already has a badge in this range.", { cause: thrown });
}
