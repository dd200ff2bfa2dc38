// Deletes a workspace. Its people, keys, secrets and settings go at once; jobs and files become due, and the sweepers of
// the running servers remove them with their bytes. The books stay: the journal is append-only and names nobody but the
// workspace's id, and with the name gone that id is a pseudonym (decisions, section 8). Remaining credits are withdrawn,
// so that the wallet of nobody holds nothing.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/database.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Audit, AuditActor } from "../audit/index.ts";
import { findWallet, withdrawFromWallet } from "../calls/index.ts";
import {
  countOpenWork,
  deletePeopleAndKeys,
  deleteSettings,
  expireJobsAndFiles,
  forgetName,
  lockWorkspaceRow,
  type OpenWork,
} from "./delete-store.ts";

// What is left of the name. Nobody else's looks like it.
export const deletedName = "deleted workspace";

export interface DeleteWorkspaceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
}

export interface DeletedWorkspace {
  readonly keys: number;
  readonly people: number;
  readonly jobs: number;
  readonly assets: number;
  readonly withdrawn: bigint;
  // They stay, because others use what they published.
  readonly publishers: number;
}

export function deleteWorkspace(
  deps: DeleteWorkspaceDeps,
  workspaceId: WorkspaceId,
  actor: AuditActor,
): Promise<DeletedWorkspace> {
  return deps.database.transaction(async (tx) => {
    const locked = await lockWorkspaceRow(tx, workspaceId, deletedName);
    if (locked === null || locked.name === deletedName) throw new Fault("not_found", "There is no such workspace.");
    if (locked.others === 0)
      throw new Fault("conflict", "It is the only workspace: without one nobody could sign in. Make another first.");
    const work = await countOpenWork(tx, workspaceId);
    requireIdle(work);
    const { keys, people } = await deletePeopleAndKeys(tx, workspaceId);
    await deleteSettings(tx, workspaceId);
    const { jobs, assets } = await expireJobsAndFiles(tx, workspaceId, deps.clock.now());
    const { available: withdrawn } = await findWallet(tx, workspaceId);
    if (withdrawn > 0n) await withdrawFromWallet(tx, { transactionId: newId(), workspaceId, amount: withdrawn });
    await forgetName(tx, workspaceId, deletedName);
    await deps.audit.append(tx, {
      actor,
      action: "workspace.delete",
      subject: { kind: "workspace", id: workspaceId },
      workspaceId,
      after: { keys, people, jobs, assets, withdrawn: String(withdrawn) },
    });
    return { keys, people, jobs, assets, withdrawn, publishers: work.publishers };
  });
}

// Work that runs would go on paying for nobody.
function requireIdle({ jobs, calls, tasks, deployments }: OpenWork): void {
  const open = [
    [jobs, "job(s)"],
    [calls, "call(s)"],
    [tasks, "partner task(s)"],
  ].filter(([count]) => count !== 0);
  if (open.length > 0) {
    const what = open.map(([count, name]) => `${count} ${name}`).join(", ");
    throw new Fault("conflict", `It still runs ${what}. Cancel them with one of its keys, or wait until they ended.`);
  }
  if (deployments > 0) throw new Fault("conflict", `It has ${deployments} deployment(s). Remove them first.`);
}
