// The workspace's job queue: its state, pausing and resuming. All members see it; owners can pause it.
import { type AccountQueue, operations, SetAccountQueue } from "@atelier/contract";
import { actingAs, requireScope } from "../../capabilities/identity/index.ts";
import type { JobQueue, QueueState } from "../../capabilities/jobs/index.ts";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import type { AccountCaller } from "./account-caller.ts";

export interface QueueRouteDeps {
  readonly queue: JobQueue;
}

export function getAccountQueueRoute({ queue }: QueueRouteDeps): Route<AccountCaller> {
  return route(operations.getAccountQueue, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    return jsonAnswer(200, present(await queue.read(principal.workspaceId)), fresh);
  });
}

export function setAccountQueueRoute({ queue }: QueueRouteDeps): Route<AccountCaller> {
  return route(operations.setAccountQueue, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    const { paused } = requireValid(SetAccountQueue, await incoming.json());
    const state = await queue.setPaused(principal.workspaceId, paused, actingAs(principal, incoming.requestId));
    return jsonAnswer(200, present(state), fresh);
  });
}

const fresh = { "cache-control": "no-store" } as const;

function present({ pausedAt, queued, running }: QueueState): AccountQueue {
  return { paused: pausedAt !== null, paused_at: pausedAt?.toISOString() ?? null, queued, running };
}
