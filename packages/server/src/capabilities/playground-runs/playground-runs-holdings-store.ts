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
