// A workspace's own keys at providers.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const credentialHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "provider_credentials",
      rows: (id, after, count) => sql`
        select provider as position, provider, hosts, created_at, updated_at from workspace_provider_credentials
        where workspace_id = ${id} and provider > ${after} order by provider limit ${count}`,
      restore: "secrets are not exported, only which there are: enter them again",
    },
  ],
  async release(tx, id) {
    return {
      credentials: await tx.execute(sql`delete from workspace_provider_credentials where workspace_id = ${id}`),
    };
  },
};
