// `atelier audit`: who changed what, newest first.
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { readTime } from "../read-time.ts";
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
  const data = await take(walkPages<Entry>(asked.atelier, "/admin/audit", queryOf(asked, limit)), limit);
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
    since: readTime(call, "audit", "since"),
    until: readTime(call, "audit", "until"),
  };
}
