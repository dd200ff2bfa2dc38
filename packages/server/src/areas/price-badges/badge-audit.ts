// Who wrote a badge, and its state before and after. Every write appends its entry in its own transaction, so there is no
// change without an entry and no entry without a change (decisions, section 7).
import type { Audit, AuditActor, NewAuditEntry } from "../../capabilities/audit/index.ts";
import type { RequestId } from "../../foundation/ids.ts";
import { versionText } from "./app-version.ts";
import type { BadgeRow } from "./badge-row.ts";

export type BadgeAudit = Pick<Audit, "append">;

export interface Acting {
  readonly actor: AuditActor;
  readonly requestId?: RequestId;
}

type BadgeAction = "badge.create" | "badge.replace" | "badge.end" | "badge.delete";

export function auditedChange(
  acting: Acting,
  action: BadgeAction,
  before: BadgeRow | null,
  after: BadgeRow | null,
): NewAuditEntry {
  return {
    ...acting,
    action,
    subject: { kind: "badge", id: (after ?? before)?.id ?? "" },
    ...(before ? { before: auditable(before) } : {}),
    ...(after ? { after: auditable(after) } : {}),
  };
}

function auditable(row: BadgeRow): Readonly<Record<string, unknown>> {
  const badge: unknown = JSON.parse(row.badgeText);
  return {
    node_id: row.nodeId,
    platforms: row.platforms,
    from_version: versionText(row.fromVersion),
    until_version: row.untilVersion && versionText(row.untilVersion),
    ended: row.ended,
    badge,
  };
}
