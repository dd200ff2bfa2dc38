// What people ran in a workspace's playground leaves and is deleted with it.
import { sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const playgroundRunHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "playground_runs",
      rows: (id, after, count) => sql`
        select id::text as position, id, owner_id, at, model, input, request_id, credits::text as credits, asset_ids
        from playground_runs where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      restore: {
        people: ["owner_id"],
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into playground_runs (workspace_id, owner_id, id, at, model, input, request_id, credits, asset_ids)
            select ${workspaceId}::uuid, owner_id, id, at, model, input, request_id, credits, asset_ids
            from jsonb_to_recordset(${json}::jsonb) as r (owner_id uuid, id uuid, at timestamptz, model text, input text,
              request_id uuid, credits bigint, asset_ids uuid[])`),
      },
    },
  ],
  aged: [
    {
      kind: "history",
      name: "playground runs",
      async count(db, { workspaceId, before }) {
        const [row] = await db.query<{ things: number }>(sql`
          select count(*)::int as things from playground_runs where workspace_id = ${workspaceId} and at < ${before}`);
        return { things: row?.things ?? 0, bytes: 0 };
      },
      remove: (tx, { workspaceId, before, count }) =>
        tx.execute(sql`
          delete from playground_runs where ctid = any(array(
            select ctid from playground_runs where workspace_id = ${workspaceId} and at < ${before} limit ${count}))`),
    },
  ],
  async release(tx, id) {
    return { playground_runs: await tx.execute(sql`delete from playground_runs where workspace_id = ${id}`) };
  },
};

export const playgroundRunPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "playground_runs",
      rows: ({ id }, count) => sql`
        select id, workspace_id, at, model, input, request_id from playground_runs where owner_id = ${id}
        order by at desc limit ${count}`,
    },
  ],
  async erase(tx, { id }) {
    return { playground_runs: await tx.execute(sql`delete from playground_runs where owner_id = ${id}`) };
  },
};
