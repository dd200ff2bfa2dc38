// A workspace's works, for export and deletion. Its provider stays reserved, so that no other workspace gets ids that others call.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { RestoreBatch, WorkspaceHoldings } from "../../../foundation/workspace-holdings.ts";
import { heldFiles, releaseHolders } from "../../assets/shared-sql.ts";
import { reserveProvider } from "./work-write-store.ts";

// Works keep the ids by which others call them, so the workspace's provider must be free here.
async function restoreWorks(tx: Queryable, { workspaceId, json, rows, now }: RestoreBatch): Promise<number> {
  const providers = new Set(rows.map(({ id }) => String(id).split("/", 1)[0] ?? ""));
  for (const provider of providers) {
    if ((await reserveProvider(tx, { workspaceId, provider, at: now })) === provider) continue;
    throw new Fault(
      "conflict",
      `The name ${provider} of its works belongs to another workspace here. Read in the rest with --without works, and publish the works again from their workflows, under another name.`,
    );
  }
  await tx.execute(sql`
    insert into published_works (id, workspace_id, model_id, name, title, description, visibility, version, versions, revision,
      cover, deprecated_at, sunset_at, created_at, updated_at)
    select distinct on (work_id) work_id, ${workspaceId}::uuid, id, name, title, description, visibility, current_version, versions,
      revision, cover, deprecated_at, sunset_at, work_created_at, updated_at
    from jsonb_to_recordset(${json}::jsonb) as r (work_id uuid, id text, name text, title text, description text, visibility text,
      current_version int, versions int, revision int, cover uuid, deprecated_at timestamptz, sunset_at timestamptz,
      work_created_at timestamptz, updated_at timestamptz)
    on conflict (id) do nothing`);
  return tx.execute(sql`
    insert into work_versions (work_id, version, workspace_id, workflow_id, workflow_version, graph, form, needs, examples,
      fingerprint, note, created_at, created_by_kind, created_by_id)
    select w.id, r.version, ${workspaceId}::uuid, r.workflow_id, r.workflow_version, convert_to(r.graph, 'UTF8'), r.form, r.needs,
      r.examples::jsonb, decode(r.content_sha256, 'hex'), r.note, r.created_at, r.created_by_kind, r.created_by_id
    from jsonb_to_recordset(${json}::jsonb) as r (work_id uuid, id text, version int, workflow_id uuid, workflow_version int,
      graph text, form text, needs jsonb, examples text, content_sha256 text, note text, created_at timestamptz,
      created_by_kind text, created_by_id uuid)
    join published_works w on w.id = r.work_id and w.workspace_id = ${workspaceId} and w.model_id = r.id`);
}

export const workHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "works",
      rows: (id, after, count) => sql`
        select v.work_id || ' ' || lpad(v.version::text, 9, '0') as position, w.model_id as id, w.title, w.description,
          w.visibility, w.version as current_version, w.deprecated_at, w.sunset_at, v.version, v.workflow_id,
          v.workflow_version, v.form, v.needs, v.examples::text as examples, v.note, v.created_at, v.created_by_kind,
          v.created_by_id, convert_from(v.graph, 'UTF8') as graph, encode(v.fingerprint, 'hex') as content_sha256, w.id as work_id,
          w.name, w.versions, w.revision, w.cover, w.created_at as work_created_at, w.updated_at
        from work_versions v join published_works w on w.id = v.work_id and w.workspace_id = v.workspace_id
        where v.workspace_id = ${id} and v.work_id || ' ' || lpad(v.version::text, 9, '0') > ${after}
        order by 1 limit ${count}`,
      restore: { people: ["created_by_id"], read: restoreWorks },
    },
    heldFiles("work_files", "work"),
    {
      name: "work_shares",
      rows: (id, after, count) => sql`
        select s.model_id || ' ' || s.workspace_id as position, s.model_id, s.workspace_id as shared_with
        from work_shares s join published_works w on w.model_id = s.model_id
        where w.workspace_id = ${id} and (s.model_id || ' ' || s.workspace_id) collate "C" > ${after}
        order by (s.model_id || ' ' || s.workspace_id) collate "C" limit ${count}`,
      restore: "they name workspaces of the old server: share the works again",
    },
  ],
  async release(tx, id) {
    const rows = await tx.query<{ id: string }>(
      sql`delete from published_works where workspace_id = ${id} returning id`,
    );
    await releaseHolders(
      tx,
      "work",
      rows.map((row) => row.id),
    );
    await tx.execute(sql`delete from work_versions where workspace_id = ${id}`);
    await tx.execute(sql`delete from work_shares where workspace_id = ${id}`);
    await tx.execute(sql`update work_providers set workspace_id = null where workspace_id = ${id}`);
    return { works: rows.length };
  },
};
