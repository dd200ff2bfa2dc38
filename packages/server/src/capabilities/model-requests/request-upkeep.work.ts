// Background work besides running requests: ends those that have waited too long, puts back those begun by a statement whose
// answer got lost, and deletes results once their day is over.
import { type Background, everyStep } from "../../foundation/background.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import { type CallEnding, type Calls, type RecordedAnswer, type StoredCall, usageOf } from "../calls/index.ts";
import { listOverdue } from "./claim-store.ts";
import type { RequestEnder } from "./end-requests.ts";
import { forgetRequests } from "./end-store.ts";
import { resultKeptHours } from "./model-request.ts";
import { listRunOf } from "./request-store.ts";

export interface UpkeepDeps {
  readonly database: Database;
  readonly log: Log;
  readonly calls: Pick<Calls, "ownerId" | "find" | "open">;
  readonly ender: RequestEnder;
  readonly queueSeconds: number;
  // A request under our id that we have not known for this long was never begun. Longer than a statement may take.
  readonly lostAfterSeconds: number;
  // The answer of a request that waited too long.
  timedOut(): RecordedAnswer;
  putBack(call: StoredCall): Promise<boolean>;
}

const everyMs = 5_000;
const forgetEveryMs = 10 * 60_000;
const batchRows = 200;

export interface RequestUpkeep {
  endOverdue(): Promise<number>;
  takeBackLost(): Promise<number>;
  forget(): Promise<void>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export function requestUpkeep(deps: UpkeepDeps): RequestUpkeep {
  const { database, calls, ender } = deps;

  async function endOverdue(): Promise<number> {
    const overdue = await listOverdue(database, { queueSeconds: deps.queueSeconds, count: batchRows });
    const ended = await Promise.all(
      overdue.map(async ({ id }) => {
        const call = await calls.find(id);
        return call !== null && ender.end("queued", endingUnrun(call, "queue_timeout", deps.timedOut(), false));
      }),
    );
    return ended.filter(Boolean).length;
  }

  // Begun by a statement whose answer got lost: we do not know it and it is not followed, so it was not sent.
  async function takeBackLost(): Promise<number> {
    let back = 0;
    const mine = { runnerId: calls.ownerId, olderThanSeconds: deps.lostAfterSeconds };
    for (const id of await listRunOf(database, mine)) {
      // Checked before its row is read: a call being handed over is known here until the follower has it.
      if (calls.open.has(id)) continue;
      const call = await calls.find(id);
      if (call === null || call.state !== "open" || call.isFollowed || call.ownerId !== calls.ownerId) continue;
      if (await deps.putBack(call)) back += 1;
    }
    return back;
  }

  async function forget(): Promise<void> {
    while ((await forgetRequests(database, { keepHours: resultKeptHours, batchRows })) === batchRows);
  }

  const look = () =>
    everyStep({
      async "end what waited too long"() {
        while ((await endOverdue()) === batchRows);
      },
      "take back what was never begun": takeBackLost,
    });
  return {
    endOverdue,
    takeBackLost,
    forget,
    async run(background, signal) {
      await Promise.all([
        background.run(
          {
            name: "model requests: end what waited too long, take back what got lost",
            role: "background",
            everyMs,
            round: look,
          },
          signal,
        ),
        background.run(
          { name: "model requests: remove old results", role: "background", everyMs: forgetEveryMs, round: forget },
          signal,
        ),
      ]);
    },
  };
}

// Nothing was sent and nothing is charged. With `keepsKey` the key keeps answering with this request; otherwise it may be
// used again.
export function endingUnrun(call: StoredCall, outcome: string, answer: RecordedAnswer, keepsKey: boolean): CallEnding {
  return {
    call,
    state: "finished",
    outcome,
    charge: 0n,
    answer: keepsKey ? answer : null,
    sent: answer,
    usage: usageOf(call, answer.status),
  };
}
