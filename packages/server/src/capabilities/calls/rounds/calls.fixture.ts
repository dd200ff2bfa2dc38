// What tests of calls need from the database and the product does not: workspaces out of thin air, calls to begin, and time
// travel.
import type { Database } from "../../../foundation/database/index.ts";
import { sql, sqlText } from "../../../foundation/database/sql.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CallOpening } from "../call/call-opening.ts";
import { fundWallet } from "../ledger/ledger-store.ts";

// A valid model call that costs 10, with limits it cannot reach.
export const opening = (workspaceId: WorkspaceId, changes: Partial<CallOpening> = {}): Omit<CallOpening, "id"> => ({
  workspaceId,
  subject: "model:sandbox/image-1",
  idempotencyKey: null,
  fingerprint: Buffer.alloc(32, 1),
  isValid: true,
  hold: 10n,
  priceRecordId: null,
  pricedInput: null,
  takesSlot: true,
  isCostly: false,
  slotsMax: 1_000_000,
  costlySlotsMax: 1_000_000,
  recovery: "ask",
  longestRunSeconds: 600,
  ...changes,
});

export function callsFixture(database: Database) {
  return {
    async newWorkspace(credits: bigint): Promise<WorkspaceId> {
      const workspaceId = newId<"workspace">();
      await database.execute(sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'test', now())`);
      await fundWallet(database, { transactionId: newId(), workspaceId, amount: credits });
      return workspaceId;
    },
    async ageKeys(workspaceId: WorkspaceId, interval: string): Promise<void> {
      await database.execute(
        sql`update calls set finished_at = finished_at - ${interval}::interval where workspace_id = ${workspaceId}`,
      );
      await database.execute(sql`
        update call_answers set answered_at = answered_at - ${interval}::interval
        where call_id in (select call_id from call_keys where workspace_id = ${workspaceId})`);
    },
    async ageCall(callId: string, interval: string): Promise<void> {
      await database.execute(sql`update calls set begun_at = begun_at - ${interval}::interval where id = ${callId}`);
    },
    async bringForward(callId: string): Promise<void> {
      await database.execute(sql`update calls set look_again_at = now() where id = ${callId}`);
    },
    // Owners in these tests have no heartbeat, and a busy machine may take longer than their lease.
    async keepAwake(ownerId: string): Promise<void> {
      await database.execute(
        sql`update call_owners set heartbeat_at = now() + interval '1 hour' where id = ${ownerId}`,
      );
    },
    async silenceOwner(ownerId: string): Promise<void> {
      await database.execute(
        sql`update call_owners set heartbeat_at = now() - interval '46 seconds' where id = ${ownerId}`,
      );
    },
    // The identity of a process on another machine.
    async renameOwner(ownerId: string, process: string): Promise<void> {
      await database.execute(sql`update call_owners set process = ${process} where id = ${ownerId}`);
    },
    async ageDeath(callId: string, interval: string): Promise<void> {
      await database.execute(
        sql`update calls set sender_died_at = sender_died_at - ${interval}::interval, look_again_at = now() where id = ${callId}`,
      );
    },
    async linesOf(callId: string): Promise<string[]> {
      const rows = await database.query<{ kind: string }>(
        sql`select kind from journal where transaction_id = ${callId} order by kind`,
      );
      return rows.map((row) => row.kind);
    },
    rewriteJournal: () => database.execute(sqlText("update journal set amount = amount + 1")),
  };
}
