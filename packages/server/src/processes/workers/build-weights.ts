// The weights of this process: what operators keep, the work that brings their bytes, and what workers report of them.
import { blake3Stream } from "../../capabilities/blobs/index.ts";
import type { Environments } from "../../capabilities/environments/index.ts";
import type { Pools } from "../../capabilities/pools/index.ts";
import {
  createFills,
  createWeights,
  type Fills,
  type Weights,
  weightPolicy,
  weightUrlProblem,
} from "../../capabilities/weights/index.ts";
import { createGuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import type { ServingDeps } from "../build/serving-deps.ts";

export interface BuiltWeights {
  readonly weights: Weights;
  readonly fills: Fills;
  readonly environments: Environments;
  weightBytesSent(bytes: number): void;
}

interface WeightNeeds {
  readonly pools: Pick<Pools, "loadedModels">;
  readonly environments: Environments;
}

const bringing = "weights: bring what was added";
const bringEveryMs = 30_000;
const useEveryMs = 60_000;

export function buildWeights(deps: ServingDeps, { pools, environments }: WeightNeeds): BuiltWeights {
  const { config, life, clock, log, metrics, capabilities, paying } = deps;
  const { database } = deps.storage;
  const client = createGuardedClient({ policy: weightPolicy(config), clock });
  life.onStop("connections of weights", () => client.close());
  const weights = createWeights({
    database,
    clock,
    log,
    client,
    audit: capabilities.audit,
    blobs: paying.blobs,
    blake3: blake3Stream(),
    urlProblem: (url) => weightUrlProblem(url, config),
    wake: () => life.background.wake(bringing),
  });
  const fills = createFills({ database, clock });
  life.repeat({
    name: bringing,
    role: "background",
    everyMs: bringEveryMs,
    round: (signal) => weights.bring(signal),
  });
  life.repeat({
    name: "weights: note which are in use",
    role: "background",
    everyMs: useEveryMs,
    begins: "after_pause",
    async round() {
      await weights.used(await pools.loadedModels());
      await fills.forget();
    },
  });
  const sent = metrics.counter("atelier_weight_bytes_sent_total", "Bytes of weights that this server sent to workers.");
  metrics.gauge("atelier_weight_fill_bytes_left", "Bytes that workers still have to fetch for their locks.", () =>
    fills.bytesLeft(),
  );
  return { weights, fills, environments, weightBytesSent: (bytes) => sent.add(bytes) };
}
