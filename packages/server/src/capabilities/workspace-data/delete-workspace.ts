// Deletes a workspace. Its people, keys, secrets and settings are deleted immediately; jobs and files expire, and the
// sweepers of the running servers remove them with their bytes. The books stay (decisions, section 8). Remaining credits
// are withdrawn, so that no wallet without an owner holds anything. Each module says what it holds and how to remove it.
import type { Clock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import type { Audit, AuditActor } from "../audit/index.ts";
import { findWallet, withdrawFromWallet } from "../calls/shared-sql.ts";
import { deletedName } from "../identity/index.ts";
import { forgetWorkspaceName, lockWorkspaceToDelete } from "../identity/shared-sql.ts";

export interface DeleteWorkspaceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  // One for every module that holds data of a workspace.
  readonly holdings: readonly WorkspaceHoldings[];
}

export interface DeletedWorkspace {
  readonly withdrawn: bigint;
  // How many of each were removed: keys, people, jobs, assets and so on.
  readonly counts: Readonly<Record<string, number>>;
}

export function deleteWorkspace(
  deps: DeleteWorkspaceDeps,
  workspaceId: WorkspaceId,
  actor: AuditActor,
): Promise<DeletedWorkspace> {
  return deps.database.transaction(async (tx) => {
    const locked = await lockWorkspaceToDelete(tx, workspaceId);
    if (locked === null || locked.name === deletedName) throw new Fault("not_found", "There is no such workspace.");
    if (locked.others === 0)
      throw new Fault(
        "conflict",
        "This is the only workspace, and nobody could sign in without one. Create another first.",
      );
    await requireIdle(deps.holdings, tx, workspaceId);
    const counts: Record<string, number> = {};
    for (const { release } of deps.holdings) Object.assign(counts, await release?.(tx, workspaceId, deps.clock.now()));
    const { available: withdrawn } = await findWallet(tx, workspaceId);
    if (withdrawn > 0n) await withdrawFromWallet(tx, { transactionId: newId(), workspaceId, amount: withdrawn });
    await forgetWorkspaceName(tx, workspaceId);
    await deps.audit.append(tx, {
      actor,
      action: "workspace.delete",
      subject: { kind: "workspace", id: workspaceId },
      workspaceId,
      after: { ...counts, withdrawn: String(withdrawn) },
    });
    return { withdrawn, counts };
  });
}

// What still runs or waits, by its plural name.
export async function countOpen(
  db: Queryable,
  holdings: readonly WorkspaceHoldings[],
  id: WorkspaceId,
): Promise<Readonly<Record<string, number>>> {
  const open: Record<string, number> = {};
  for (const each of holdings) Object.assign(open, await each.countOpen?.(db, id));
  return open;
}

// Running work would keep spending without an owner.
async function requireIdle(holdings: readonly WorkspaceHoldings[], db: Queryable, id: WorkspaceId): Promise<void> {
  const counts = Object.entries(await countOpen(db, holdings, id));
  const open = counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  if (open.length === 0) return;
  throw new Fault(
    "conflict",
    `This workspace still has ${open.join(", ")}. Cancel or remove them, or wait until they end.`,
  );
}
