import type { Audit } from "../../capabilities/audit/index.ts";
import {
  type Blobs,
  createBlobs,
  keepWhole,
  openBlobs,
  readWhole,
  storeOrigin,
  tendBlobs,
} from "../../capabilities/blobs/index.ts";
import {
  type AnswerBlobs,
  type Budgets,
  type CallFollowing,
  type CallLimits,
  type Calls,
  type Credits,
  callPlannerSettings,
  createBudgets,
  createCallLimits,
  createCalls,
  createCredits,
  createFollower,
  createHousekeeping,
  createKeyCaps,
  createOddSpending,
  createUsage,
  createUsageSumming,
  type KeyCaps,
  type OddSpendingWatch,
  type Usage,
} from "../../capabilities/calls/index.ts";
import { type CredentialRefusals, createCredentialRefusals } from "../../capabilities/credential-refusals/index.ts";
import { createPastRuns } from "../../capabilities/jobs/index.ts";
import { createPrices, type Prices } from "../../capabilities/prices/index.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { Forgetting } from "../../foundation/bus/forgetting.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { PastRuns } from "../../foundation/past-runs.ts";
import type { ProcessDeps } from "./process-deps.ts";

export interface Paying {
  // Called when a provider or partner rejects a credential of this server, so that the operator hears of it.
  readonly credentialRefused: CredentialRefusals["note"];
  readonly blobs: Blobs;
  readonly bus: Bus;
  readonly forgetting: Forgetting;
  readonly prices: Prices;
  readonly calls: Calls;
  readonly credits: Credits;
  readonly keyCaps: KeyCaps;
  readonly budgets: Budgets;
  readonly oddSpending: OddSpendingWatch;
  readonly callLimits: CallLimits;
  readonly usage: Usage;
  // How long calls and graphs took in the past.
  readonly pastRuns: PastRuns;
  // Starts following calls that have no connection, once every area has said how to ask about its own.
  follow(followings: readonly CallFollowing[]): void;
}

export interface PayingDeps extends ProcessDeps {
  readonly storage: Storage;
  readonly audit: Audit;
  readonly bus: Bus;
  readonly forgetting: Forgetting;
  readonly known: Pick<KnownSecrets, "text">;
}

export async function buildPaying(deps: PayingDeps): Promise<Paying> {
  const { config, life, clock, log, bus, forgetting } = deps;
  const { database } = deps.storage;
  const storage = await openBlobs(config, storeOrigin(config) !== null);
  const blobs = createBlobs({ database, storage, clock, log });
  tendBlobs(blobs, { life, log });
  const prices = createPrices({ database, clock, creditsPerUsd: config.creditsPerUsd });
  // Separate connections, because statements of calls use their own planner settings.
  const callDatabase = deps.storage.open("connections of calls", {
    poolSize: 6,
    readers: 1,
    settings: callPlannerSettings,
  });
  const leaseSeconds = config.callLeaseSeconds;
  const sendWithinMs = (leaseSeconds * 1000) / 3;
  const calls = createCalls({ database: callDatabase, clock, log, bus, blobs: answerBlobs(blobs), sendWithinMs });
  const usage = createUsage({ database, lists: deps.storage.lists, log });
  life.onStop("usage rows", () => usage.close());
  const housekeeping = createHousekeeping({ database, log, blobs: answerBlobs(blobs) });
  life.work("housekeeping of calls", housekeeping);
  life.work("sums of usage", createUsageSumming({ database }));
  await calls.start();
  life.onStop("calls", () => calls.close(), 15);
  const budgets = createBudgets({ database, audit: deps.audit, clock, forgetting });
  const callLimits = createCallLimits({ database, audit: deps.audit, clock, forgetting });
  const refusals = createCredentialRefusals({ database, clock, log });
  const atRest = new AbortController();
  let following: Promise<void> | undefined;
  // Stops after everything that makes calls.
  life.onStop("follower of calls", () => {
    atRest.abort();
    return following;
  });
  return {
    credentialRefused: ({ words, ...refusal }) =>
      refusals.note({ ...refusal, words: words === null ? null : deps.known.text(words) }),
    blobs,
    bus,
    forgetting,
    prices,
    calls,
    usage,
    pastRuns: createPastRuns({ database, clock, log }),
    credits: createCredits({ database, audit: deps.audit }),
    budgets,
    oddSpending: createOddSpending({ database, audit: deps.audit, clock }),
    keyCaps: createKeyCaps({ database, audit: deps.audit, clock, forgetting, budgets, limits: callLimits }),
    callLimits,
    follow(followings) {
      const follower = createFollower({
        database,
        log,
        calls,
        followings,
        leaseSeconds,
        heartbeatSeconds: leaseSeconds / 9,
        sweepSeconds: leaseSeconds / 9,
        lostAfterSeconds: (leaseSeconds * 2) / 3,
      });
      following = follower.run(life.background, life.stopping, atRest.signal);
    },
  };
}

function answerBlobs(blobs: Blobs): AnswerBlobs {
  return {
    keep: (bytes, holder) =>
      keepWhole(blobs, bytes, async (tx, hash) => {
        await blobs.hold(tx, hash, holder);
        return hash;
      }),
    read: (hash) => readWhole(blobs, hash),
    release: (tx, hash, holder) => blobs.release(tx, hash, holder),
  };
}
