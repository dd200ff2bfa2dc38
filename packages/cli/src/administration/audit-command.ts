// `atelier audit`: who changed what, newest first.
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import { type Asked, asOperator, walkPages } from "../server/over-http.ts";

interface Entry {
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name?: string };
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly workspace_id: string | null;
}

export const auditCommand = asOperator(async (asked): Promise<CommandResult> => {
  const limit = asked.call.whole("limit", 1, 100_000) ?? 50;
  const data: Entry[] = [];
  for await (const entry of walkPages<Entry>(asked.atelier, "/admin/audit", queryOf(asked, limit))) {
    data.push(entry);
    if (data.length === limit) break;
  }
  const rows = data.map(({ at, actor, action, subject }) => [
    ...[new Date(at), actor.name ?? `${actor.kind} ${actor.id}`, action, `${subject.kind} ${subject.id}`],
  ]);
  return { data, text: { columns: ["when", "who", "did", "to"], rows, empty: "Nothing in the audit log matches." } };
});

function queryOf({ call }: Asked, limit: number) {
  return {
    limit: Math.min(limit, 100),
    workspace_id: call.text("workspace"),
    actor_id: call.text("actor"),
    action: call.text("action"),
    subject_id: call.text("subject"),
    request_id: call.text("request"),
    since: readTime(call.text("since"), "since"),
    until: readTime(call.text("until"), "until"),
  };
}

function readTime(given: string | undefined, option: string): string | undefined {
  if (given === undefined) return undefined;
  const at = new Date(given);
  if (/^\d{4}-\d\d-\d\d/.test(given) && !Number.isNaN(at.getTime())) return at.toISOString();
  throw wrongCall("audit", [
    `--${option} is a date such as 2026-11-01 or a time such as 2026-11-01T08:00:00Z, not "${given}".`,
  ]);
}
