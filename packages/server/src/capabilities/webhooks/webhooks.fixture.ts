// Shared by the tests of webhooks; contains no test itself. `aSender` is a whole capability as a process has it, with a
// clock moved by hand.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type Database, type Queryable, sql } from "../../foundation/database/index.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import type { EgressPolicy } from "../../foundation/http/outgoing/egress-guard.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { createAudit } from "../audit/index.ts";
import { webhookInvariants } from "./queue-figures-store.ts";
import { createWebhooks, type Webhooks, type WebhooksDeps } from "./webhooks.ts";

const secret = randomBytes(32);
export const ring = {
  current: () => ({ id: "ring-1", secret }),
  verifying: () => [{ id: "ring-1", secret }],
};

export interface Sender extends Webhooks {
  readonly clock: HandClock;
}

export function aSender(
  database: Database,
  targets: readonly string[],
  changes: Partial<WebhooksDeps> & { readonly clock?: HandClock } = {},
): Sender {
  const clock = changes.clock ?? handClock(new Date());
  const policy: EgressPolicy = { allowHttp: false, developmentTargets: targets };
  const webhooks = createWebhooks({
    database,
    log: silentLog,
    audit: createAudit({ database }),
    keyRing: ring,
    policy,
    userAgent: "Atelier/test",
    random: () => 0.5,
    ...changes,
    clock,
  });
  return { ...webhooks, clock };
}

export async function aWorkspace(db: Queryable): Promise<WorkspaceId> {
  const id: WorkspaceId = newId();
  await db.execute(sql`insert into workspaces (id, name, created_at) values (${id}, 'Studio', now())`);
  return id;
}

export interface Change {
  readonly workspaceId: WorkspaceId;
  readonly url: string;
  readonly subjectId?: string;
  readonly sequence?: number;
}

export async function enqueueChange(sender: Webhooks, database: Database, change: Change): Promise<void> {
  const { subjectId = newId(), sequence = 1 } = change;
  const body = Buffer.from(JSON.stringify({ id: subjectId, status: "running", sequence }));
  await database.transaction((tx) =>
    sender.enqueue(tx, [{ ...change, subjectId, sequence, type: "job.running", body }]),
  );
}

export async function requireInvariants(db: Queryable): Promise<void> {
  for (const { name, statement } of webhookInvariants) assert.deepEqual(await db.query(statement), [], name);
}
