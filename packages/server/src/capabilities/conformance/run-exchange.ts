// Runs one call of a model against the scripted provider, from the caller's bytes to the answer and the charge. It is the
// same code as a served call, without the books.

import { systemClock } from "../../foundation/clock.ts";
import { startDeadline } from "../../foundation/deadline.ts";
import { createUpstream, type Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";
import { checkInput, decideEnding, type Ending } from "../model-calls/index.ts";
import { holdBound, type Price, priceOf, validatePrice } from "../prices/index.ts";
import {
  type Outcome,
  outcomeReasons,
  type ProviderDefinition,
  prepareModels,
  readHere,
  runModel,
  type ServedModel,
  withModelMember,
} from "../providers/index.ts";
import { type HurriedClock, hurriedClock } from "./hurried-clock.ts";
import { checkSecret, ledHome } from "./led-home.ts";
import type { ScriptedProvider, ScriptedStep, SeenRequest } from "./scripted-provider.ts";

// The kit's prices are in dollars: a credit is a dollar.
export const creditsPerUsd = 1;

// The reference of the kit's calls, if the provider accepts one.
export const reference = "conformance-call";

export interface Bench {
  readonly definition: ProviderDefinition;
  readonly provider: ScriptedProvider;
  readonly upstream: Upstream;
}

export interface Exchange {
  readonly input: unknown;
  readonly steps: readonly ScriptedStep[];
  // The last step also answers every further request.
  readonly repeatsLast?: boolean;
  readonly longestRunSeconds?: number;
  // How much time has passed when the n-th request arrives.
  ageMs?(index: number): number;
}

export interface Ran {
  readonly outcome: Outcome;
  readonly ending: Ending;
  readonly held: bigint;
  readonly requests: readonly SeenRequest[];
  // When each request arrived, by the clock of the run.
  readonly times: readonly Date[];
  // Hosts outside the provider's that a request would have gone to.
  readonly foreignHosts: readonly string[];
  readonly sentBytes: Buffer;
  // True if there were more requests than expected.
  readonly ranOut: boolean;
}

export type RunExchange = Ran | { readonly problem: string };

export async function runExchange(bench: Bench, modelName: string, exchange: Exchange): Promise<RunExchange> {
  const clock = hurriedClock();
  const model = servedModel(bench, modelName, clock);
  const price = model && priceFor(model);
  if (!model || !price) return { problem: "the model could not be prepared" };
  const bytes = Buffer.from(JSON.stringify(exchange.input));
  const verdict = checkInput(model, bytes);
  if (!verdict.ok) return { problem: `the input is refused by /input_schema: ${detailsOf(verdict.fault.details)}` };
  const longestRunSeconds = exchange.longestRunSeconds ?? model.definition.longest_run_seconds;
  const deadline = startDeadline({ clock, afterMs: longestRunSeconds * 1000 });
  const end = () => clock.skip(longestRunSeconds * 1000);
  const times: Date[] = [];
  const foreignHosts: string[] = [];
  let ranOut = false;
  const requests = bench.provider.play({
    answer(index) {
      times.push(clock.now());
      clock.skip(exchange.ageMs?.(index) ?? 0);
      const step = exchange.steps[index] ?? (exchange.repeatsLast ? exchange.steps.at(-1) : undefined);
      if (step !== undefined) return step;
      ranOut = true;
      end();
      return null;
    },
    onSilence: end,
  });
  const upstream: Upstream = {
    async fetch(request) {
      if (request.url.origin === bench.provider.origin) return bench.upstream.fetch(request);
      foreignHosts.push(request.url.host);
      return { kind: "not_sent", reason: "refused", cause: null };
    },
    close: async () => undefined,
  };
  const sentBytes = withModelMember(model.definition, bytes, verdict.namesModel);
  const outcome = await runModel({ upstream, clock, answers: readHere }, model, {
    reference,
    body: sentBytes,
    document: verdict.document,
    exactIntegers: verdict.exactIntegers,
    signal: deadline.signal,
    accepted: async () => undefined,
  });
  deadline.release();
  const ending = decideEnding(outcome, { model: { ...model, price }, input: verdict.document });
  const held = holdBound(price, verdict.document);
  return { outcome, ending, held, requests, times, foreignHosts, sentBytes, ranOut };
}

export function benchOf(definition: ProviderDefinition, provider: ScriptedProvider): Bench {
  // Network requests are timed by the real clock, because no time passes on the hurried one while they run.
  return { definition, provider, upstream: createUpstream({ clock: systemClock }) };
}

export function readyModel(bench: Bench, name: string): { model: ServedModel; clock: HurriedClock } | null {
  const clock = hurriedClock();
  const model = servedModel(bench, name, clock);
  return model ? { model, clock } : null;
}

function servedModel({ definition, provider }: Bench, name: string, clock: HurriedClock): ServedModel | undefined {
  const credentialOf = () => checkSecret(definition);
  const models = prepareModels({ clock, credentialOf }, ledHome(definition, provider), null);
  return models.find((model) => model.definition.model === name);
}

export function priceFor({ definition }: Pick<ServedModel, "definition">): Price | null {
  const validated = validatePrice(definition.price);
  return validated.ok ? priceOf(validated.definition, creditsPerUsd) : null;
}

// The outcome in the words of the fixtures.
export function wordFor(outcome: Outcome): string {
  if (outcome.kind === "provider_timed_out") return "timed_out";
  if (outcome.kind !== "failed") return outcome.kind;
  if (outcome.reason === outcomeReasons.ourAccount) return "our_account";
  return outcome.reason === outcomeReasons.busy ? "rate_limited" : "failed";
}

// In words. Null if the schema accepts it.
export function inputProblem(model: ServedModel, input: unknown): string | null {
  const verdict = checkInput(model, Buffer.from(JSON.stringify(input)));
  return verdict.ok ? null : detailsOf(verdict.fault.details);
}

function detailsOf(details: unknown): string {
  if (!Array.isArray(details)) return "it is not a JSON object";
  return details
    .map((each: { readonly loc?: unknown; readonly msg?: unknown }) => {
      const [, ...names] = Array.isArray(each.loc) ? each.loc : [];
      return `/${names.join("/")} ${String(each.msg)}`;
    })
    .join("; ")
    .slice(0, 500);
}
