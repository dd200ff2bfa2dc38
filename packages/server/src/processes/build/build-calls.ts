// Builds what pays and remembers: blobs, bus, prices, calls and their follower.
import { join, resolve } from "node:path";
import type { Audit } from "../../capabilities/audit/index.ts";
import {
  type BlobStorage,
  type Blobs,
  createBlobs,
  openBlobStorage,
  parseBlobAddress,
} from "../../capabilities/blobs/index.ts";
import {
  type AnswerBlobs,
  type CallFollowing,
  type Calls,
  type Credits,
  callPlannerSettings,
  createCalls,
  createCredits,
  createFollower,
  createHousekeeping,
  createKeyCaps,
  createUsage,
  createUsageSumming,
  type KeyCaps,
  type Usage,
} from "../../capabilities/calls/index.ts";
import { type CredentialRefusals, createCredentialRefusals } from "../../capabilities/credential-refusals/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import { createPrices, type Prices } from "../../capabilities/prices/index.ts";
import type { Config } from "../../config.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { Forgetting } from "../../foundation/bus/forgetting.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import type { PastRuns } from "../../foundation/past-runs.ts";
import { UsageProblem } from "../commands/command.ts";
import { storeOrigin } from "./content-redirect.ts";
import type { Storage } from "./open/open-storage.ts";
import { createPastRuns } from "./past-runs.ts";
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
  readonly usage: Usage;
  // How long calls and graphs took in the past.
  readonly pastRuns: PastRuns;
  // Starts following calls that have no connection, once every area has said how to ask about its own.
  follow(followings: readonly CallFollowing[]): void;
}

// How many calls a workspace can have in flight, in total and for costly ones. Decisions, section 3: a quarter of the slots for
// calls that cost 5 USD or more.
export async function slotsOf(
  limits: Pick<Limits, "limitOf">,
  workspaceId: WorkspaceId,
): Promise<{ slots: number; costlySlots: number }> {
  const slots = await limits.limitOf(workspaceId, "concurrency");
  return { slots, costlySlots: Math.max(1, Math.floor(slots / 4)) };
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
  const callDatabase = deps.storage.open({ poolSize: 6, readers: 1, settings: callPlannerSettings });
  life.onStop("connections of calls", () => callDatabase.close());
  const leaseSeconds = config.callLeaseSeconds;
  const sendWithinMs = (leaseSeconds * 1000) / 3;
  const calls = createCalls({ database: callDatabase, clock, log, bus, blobs: answerBlobs(blobs), sendWithinMs });
  const usage = createUsage({ database, lists: deps.storage.lists, log });
  life.onStop("usage rows", () => usage.close());
  const housekeeping = createHousekeeping({ database, log, blobs: answerBlobs(blobs) });
  const kept = housekeeping.run(life.background, life.stopping);
  life.onStop("housekeeping of calls", () => kept);
  const summed = createUsageSumming({ database }).run(life.background, life.stopping);
  life.onStop("sums of usage", () => summed);
  await calls.start();
  life.onStop("calls", () => calls.close(), 15);
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
    keyCaps: createKeyCaps({ database, audit: deps.audit, clock, forgetting }),
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

export async function openBlobs(
  config: Pick<Config, "home" | "blobs" | "blobsKeyId" | "blobsSecret">,
  isDirect = false,
): Promise<BlobStorage> {
  const parsed = parseBlobAddress(config.blobs ?? `file:${join(resolve(config.home), "blobs")}`);
  if ("problem" in parsed) throw new UsageProblem([`ATELIER_BLOBS ${parsed.problem}`]);
  const { blobsKeyId, blobsSecret } = config;
  const s3Credentials =
    blobsKeyId && blobsSecret ? { accessKeyId: blobsKeyId.reveal(), secretAccessKey: blobsSecret.reveal() } : undefined;
  if (parsed.address.kind === "file") await makeFolder(parsed.address.directory);
  return openBlobStorage(parsed.address, { isDirect, ...(s3Credentials ? { s3Credentials } : {}) });
}

function answerBlobs(blobs: Blobs): AnswerBlobs {
  return {
    keep: (bytes, holder) =>
      blobs.keep(once(bytes), {
        bytesMax: bytes.byteLength,
        async commit(tx, blob) {
          await blobs.hold(tx, blob.hash, holder);
          return blob.hash;
        },
      }),
    async read(hash) {
      const opened = await blobs.open(hash);
      if (opened === null) return null;
      const chunks: Buffer[] = [];
      for await (const chunk of opened.stream) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    release: (tx, hash, holder) => blobs.release(tx, hash, holder),
  };
}

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

// Once an hour, removes what has no reference and re-hashes part of the rest, slowly enough that no one notices. Several
// processes can do this: the collector's rows and the scrub's marks are in the database.
export function tendBlobs(blobs: Blobs, deps: { readonly life: Lifecycle; readonly log: Log }): void {
  deps.life.repeat({
    name: "blobs: remove what nobody refers to, look for damage",
    role: "background",
    everyMs: 3_600_000,
    begins: "after_pause",
    async round(signal) {
      await blobs.collect({ dryRun: false, signal });
      const { damaged } = await blobs.scrub({ bytesPerSecondMax: 20_000_000, signal });
      for (const blob of damaged)
        deps.log.error({ hash: blob.hash }, "a blob is damaged; uploading the same bytes again mends it");
    },
  });
}
