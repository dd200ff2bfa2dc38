// A workspace's own keys at providers.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const credentialHoldings: WorkspaceHoldings = {
  async release(tx, id) {
    return {
      credentials: await tx.execute(sql`delete from workspace_provider_credentials where workspace_id = ${id}`),
    };
  },
};
