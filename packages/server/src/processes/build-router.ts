// The model router of this process: definitions become served models with prices, and calls find their way back after
// a crash.
import { readFile } from "node:fs/promises";
import {
  type CatalogModel,
  catalogHolder,
  catalogOf,
  createInputChecker,
  followInvocations,
  modelRouter,
} from "../areas/model-router/index.ts";
import { parseSubject, priceOf, validatePrice } from "../capabilities/prices/index.ts";
import {
  checkDefinition,
  type ProviderDefinition,
  type ProvidersDeps,
  serveModels,
} from "../capabilities/providers/index.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../foundation/clock.ts";
import { Fault } from "../foundation/fault.ts";
import { type Area, area } from "../foundation/http/area.ts";
import { createUpstream } from "../foundation/http/fetch-upstream.ts";
import type { Lifecycle } from "../foundation/lifecycle.ts";
import type { Log } from "../foundation/log.ts";
import type { Secret } from "../foundation/settings.ts";
import type { Paying } from "./build-calls.ts";
import type { Capabilities } from "./build-capabilities.ts";
import { UsageProblem } from "./command.ts";
import { drainSecondsOf } from "./drain-seconds.ts";
import type { Storage } from "./open-storage.ts";

export interface RouterDeps {
  readonly config: Config;
  readonly life: Lifecycle;
  readonly clock: Clock;
  readonly log: Log;
  readonly storage: Storage;
  readonly capabilities: Capabilities;
  readonly paying: Paying;
  readonly baseUrl: () => string;
  readonly credentials: ReadonlyMap<string, Secret>;
  // Definitions that this process brings itself: the sandbox.
  readonly definitions: readonly unknown[];
}

export async function buildRouter(deps: RouterDeps): Promise<Area> {
  const { config, life, clock, log, capabilities, paying } = deps;
  const { identity, limits, cursors } = capabilities;
  const upstream = createUpstream({ clock });
  life.onStop("connections to providers", () => upstream.close());
  const catalog = catalogHolder();
  const inputs = createInputChecker();
  life.onStop("thread for large bodies", () => inputs.close());
  const detached = new Set<Promise<unknown>>();
  // A call that is at its provider is given the drain to come back; what is left is adopted by another process.
  life.onStop("calls at providers", async () => void (await Promise.allSettled(detached)), drainSecondsOf(config));
  catalog.replace(catalogOf(await loadModels(deps)));
  paying.follow([followInvocations({ upstream, clock, catalog, prices: paying.prices })]);
  return area(
    modelRouter({
      authenticate: (arrival) => identity.authenticate(arrival),
      isEnabled: () => config.router,
      admitRate: (caller) => limits.admit(caller.workspaceId, "router_and_partner"),
      async requireEntitlement(caller, modelId) {
        if (!(await identity.entitlements.mayRun(caller.workspaceId, modelId))) {
          throw new Fault("forbidden", "This workspace may not run this model.");
        }
      },
      catalog,
      cursors,
      baseUrl: deps.baseUrl,
      bodyBytesMax: config.routerBodyBytesMax,
      deadlineMs: config.routerDeadlineSeconds * 1000,
      inputs,
      async slotsOf(caller) {
        const slots = await limits.limitOf(caller.workspaceId, "concurrency");
        // Decisions, section 3: a quarter of it for models of 5 USD or more per call.
        return { slots, costlySlots: Math.max(1, Math.floor(slots / 4)) };
      },
      detached,
      caps: paying.keyCaps,
      usage: paying.usage,
      upstream,
      calls: paying.calls,
      clock,
      log,
    }),
  );
}

async function loadModels(deps: RouterDeps): Promise<CatalogModel[]> {
  const files = await Promise.all(
    deps.config.providers.map(async (path): Promise<unknown> => JSON.parse(await readFile(path, "utf8"))),
  );
  const checked = [...deps.definitions, ...files].map((value) => checkDefinition(priceChecks, value));
  const problems = checked.flatMap((each) => (each.ok ? [] : each.problems));
  if (problems.length > 0)
    throw new UsageProblem(problems.map((problem) => `A provider definition is wrong: ${problem}`));
  const definitions = checked.flatMap((each) => (each.ok ? [each.definition] : []));
  return (await Promise.all(definitions.map((definition) => pricedModels(deps, definition)))).flat();
}

const priceChecks: Pick<ProvidersDeps, "priceProblems"> = {
  priceProblems(price) {
    const validated = validatePrice(price);
    return validated.ok ? [] : validated.problems;
  },
};

async function pricedModels(deps: RouterDeps, definition: ProviderDefinition): Promise<CatalogModel[]> {
  const { clock, paying, storage, config } = deps;
  const providerDeps = { ...priceChecks, clock, credentialOf: (name: string) => deps.credentials.get(name) ?? null };
  const served = serveModels(providerDeps, definition, (_id, own) => own);
  const models: CatalogModel[] = [];
  for (const model of served) {
    const price = validatePrice(model.definition.price);
    const subject = parseSubject(`model:${model.id}`);
    if (!price.ok || subject === null) continue;
    const { record } = await storage.database.transaction((tx) =>
      paying.prices.ensure(tx, { subject, definition: price.definition, createdBy: "provider definition" }),
    );
    paying.prices.drop(subject);
    models.push({ ...model, price: priceOf(price.definition, config.creditsPerUsd), priceRecordId: record.id });
  }
  return models;
}
