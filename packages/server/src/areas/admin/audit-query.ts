// Parses the query of GET /admin/audit. A cursor belongs to the filters it was issued for: under others it is refused.
import type { ActorKind, AuditFilter, AuditPosition } from "../../capabilities/audit/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { QueryReader, refuseCursor } from "../../foundation/http/page-query.ts";
import { parseId } from "../../foundation/ids.ts";
import { hasAtMost } from "../../foundation/json/characters.ts";
import { momentFormat, parseMoment } from "../../foundation/moment.ts";

export interface AuditQuery {
  readonly filter: AuditFilter;
  readonly limit: number;
  readonly cursor: string | undefined;
}

// The wire names the kind of credential, the audit the kind of actor.
export const actorKindOnWire = {
  person: "person",
  key: "api_key",
  service_account: "service_account",
  admin: "admin_token",
  system: "system",
} as const satisfies Record<ActorKind, string>;

export function readAuditQuery(query: URLSearchParams): AuditQuery {
  const reader = new QueryReader(query);
  const text = (name: string) => reader.read(name, shortText, "1 to 200 characters");
  const filter: AuditFilter = {
    workspaceId: reader.read("workspace_id", (given) => parseId<"workspace">(given), "a UUID"),
    actorKind: reader.read("actor_kind", parseActorKind, `one of ${Object.values(actorKindOnWire).join(", ")}`),
    actorId: text("actor_id"),
    action: text("action"),
    subjectKind: text("subject_kind"),
    subjectId: text("subject_id"),
    requestId: text("request_id"),
    since: reader.read("since", parseMoment, momentFormat),
    until: reader.read("until", parseMoment, momentFormat),
  };
  const asked = { filter, limit: reader.readLimit(), cursor: reader.readCursor() };
  reader.requireNoProblem();
  return asked;
}

export function issueAuditCursor(cursors: Cursors, filter: AuditFilter, position: AuditPosition): string {
  return cursors.issue(purposeOf(filter), [position.at.toISOString(), position.id]);
}

export function readAuditCursor(cursors: Cursors, filter: AuditFilter, cursor: string): AuditPosition {
  const [at = "", idText = ""] = cursors.read(purposeOf(filter), cursor) ?? [];
  const [moment, id] = [parseMoment(at), parseId<"audit-entry">(idText)];
  if (moment === null || id === null) throw refuseCursor();
  return { at: moment, id };
}

function purposeOf(filter: AuditFilter): string {
  const { workspaceId, actorKind, actorId, action, subjectKind, subjectId, requestId, since, until } = filter;
  return JSON.stringify([
    "audit",
    ...[workspaceId, actorKind, actorId, action, subjectKind, subjectId, requestId, since, until].map(
      (part) => part ?? null,
    ),
  ]);
}

function parseActorKind(text: string): ActorKind | null {
  const kinds: readonly ActorKind[] = ["person", "key", "service_account", "admin", "system"];
  return kinds.find((kind) => actorKindOnWire[kind] === text) ?? null;
}

// PostgreSQL cannot store NUL, so nothing stored can match one.
function shortText(text: string): string | null {
  return hasAtMost(text, 200) && text.isWellFormed() && !text.includes("\0") ? text : null;
}
