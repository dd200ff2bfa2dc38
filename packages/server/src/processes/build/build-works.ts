// Works: published workflows, connected to the router that lists and calls them and to the jobs that run them.
import {
  quoteSubmission,
  type Surface,
  submitJob,
  type WorkflowCaller,
  type WorkflowWork,
} from "../../areas/workflows/index.ts";
import type { Assets } from "../../capabilities/assets/index.ts";
import type { KeyCaps } from "../../capabilities/calls/index.ts";
import type { PricePart } from "../../capabilities/graphs/index.ts";
import type { JobId, Jobs } from "../../capabilities/jobs/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { PublishedHolder } from "../../capabilities/model-calls/index.ts";
import { sharedPool } from "../../capabilities/pools/index.ts";
import type { PricedUse } from "../../capabilities/prices/index.ts";
import {
  createPriceBounds,
  createWorkBadges,
  createWorkGraphs,
  createWorkModels,
  type PriceWorks,
  type WorkGraphs,
  workPreparer,
} from "../../capabilities/works/index.ts";
import { trustedId } from "../../foundation/ids.ts";
import type { GraphRouter } from "./build-jobs.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface WorksBuildDeps extends ServingDeps {
  readonly published: PublishedHolder;
  readonly router: Pick<GraphRouter, "client" | "served">;
  // Called with the badges of public works whenever they change.
  followBadges(uses: readonly PricedUse[]): Promise<void>;
  readonly surface: Surface;
  readonly assets: Assets;
  readonly limits: Limits;
  readonly jobs: Jobs;
  // The managed surface's, which runs the graphs of works.
  readonly work: WorkflowWork;
}

export interface BuiltWorks {
  readonly graphs: WorkGraphs;
  readonly priceWorks: PriceWorks;
  // Shows what was just published.
  refreshBadges(): Promise<void>;
}

const badgesEveryMs = 10_000;

export function buildWorks({
  config,
  life,
  storage,
  paying,
  clock,
  published,
  followBadges,
  router,
  surface,
  assets,
  limits,
  jobs,
  work,
}: WorksBuildDeps): BuiltWorks {
  const { database } = storage;
  const submitting = { ...work, surface, assets, limits };
  const common = {
    database,
    clock,
    assets,
    jobs,
    json: work.bodies,
    client: router.client,
    prepare: workPreparer(work.bodies),
  };
  published.connect(
    createWorkModels({
      ...common,
      poolId: sharedPool,
      async submit({ caller, bytes, jobId, labels }) {
        const approve = withinTotal(paying.keyCaps, caller, jobId);
        const counted = labels ? { labels } : {};
        const asked = { caller, bytes, jobId, approve, idempotencyKey: null, maxCredits: null, ...counted };
        return (await submitJob(submitting, asked)).job;
      },
      quote: ({ caller, bytes }) => quoteSubmission(submitting, caller, bytes),
    }),
  );
  const badges = createWorkBadges({
    ...common,
    price: work.price,
    creditsPerUsd: config.creditsPerUsd,
    pricesStamp: () => router.served(),
    follow: followBadges,
  });
  life.repeat({ name: "badges of works", role: "background", everyMs: badgesEveryMs, round: () => badges.refresh() });
  const priceWorks = createPriceBounds({ ...common, price: work.price });
  return { graphs: createWorkGraphs(common), priceWorks, refreshBadges: () => badges.refresh() };
}

// The budget of a link covers the whole job: its nodes' calls, which count by themselves, and its running time.
function withinTotal(caps: KeyCaps, { workspaceId, keyId }: WorkflowCaller, jobId: JobId) {
  return async (parts: readonly PricePart[]): Promise<void> => {
    if (keyId === null) return;
    const sum = (of: readonly PricePart[]) => of.reduce((total, { amount }) => total + amount, 0n);
    const runningTime = sum(parts.filter(({ node }) => node === undefined));
    const callId = trustedId<"call">(jobId);
    await caps.requireJobWithinTotal({ workspaceId, apiKeyId: keyId, callId, hold: sum(parts), runningTime });
  };
}
