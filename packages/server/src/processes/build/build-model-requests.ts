// Queued model calls of this process: accepted, run and ended while it is up.
import { requestNotice } from "../../areas/model-router/index.ts";
import { type Blobs, keepWhole, readWhole } from "../../capabilities/blobs/index.ts";
import { callPlannerSettings, type PassingCalls } from "../../capabilities/calls/index.ts";
import { slotsOf } from "../../capabilities/limits/index.ts";
import { requestAnswers } from "../../capabilities/model-calls/index.ts";
import {
  createModelRequests,
  type ModelRequests,
  type RequestBlobs,
  registerRequestMetrics,
} from "../../capabilities/model-requests/index.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface ModelRequestBuildDeps extends ServingDeps {
  readonly passing: Pick<PassingCalls, "inFlight">;
}

export function buildModelRequests(deps: ModelRequestBuildDeps): ModelRequests {
  const { config, life, clock, log, paying } = deps;
  // Separate connections: requests begin and end calls, whose statements use their own planner settings.
  const database = deps.storage.open("connections of model requests", {
    poolSize: 6,
    readers: 1,
    settings: callPlannerSettings,
  });
  const meter = registerRequestMetrics(deps.metrics, { database, clock });
  const requests = createModelRequests({
    database,
    lists: deps.storage.lists,
    clock,
    log,
    bus: paying.bus,
    calls: paying.calls,
    blobs: requestBlobs(paying.blobs),
    webhooks: deps.webhooks,
    queueSeconds: config.requestQueueSeconds,
    lostAfterSeconds: (config.callLeaseSeconds * 2) / 3,
    atOnceMax: config.requestsAtOnce,
    inputBytesMax: config.bufferedBytesMax,
    async slotsOf(workspaceId) {
      const { slots, costlySlots } = await slotsOf(deps.capabilities.limits, workspaceId);
      return { slots: slots - deps.passing.inFlight(workspaceId), costlySlots };
    },
    started: (waitedMs) => meter.started(waitedMs),
    words: { ...requestAnswers, noticeOf: (request) => requestNotice(deps.baseUrl(), request) },
  });
  life.onStop("model requests", () => requests.close(), 15);
  return requests;
}

function requestBlobs(blobs: Blobs): RequestBlobs {
  const holder = (id: string) => ({ kind: "model-request", id });
  return {
    keep: (bytes, commit) => keepWhole(blobs, bytes, commit),
    hold: (tx, hash, id) => blobs.hold(tx, hash, holder(id)),
    release: (tx, hash, id) => blobs.release(tx, hash, holder(id)),
    read: (hash) => readWhole(blobs, hash),
  };
}
