// Makes one real call with the configured credential, to see what no fixture can show: that the key works and that the
// provider still answers as the definition says. It uses the example of the cheapest model, unless another model is
// named. It costs money at the provider and changes nothing here: no call is recorded and no credit is charged.

import type { Clock } from "../../foundation/clock.ts";
import { startDeadline } from "../../foundation/deadline.ts";
import type { Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";
import type { Secret } from "../../foundation/settings.ts";
import { checkInput, decideEnding } from "../model-calls/index.ts";
import { holdBound } from "../prices/index.ts";
import {
  hostsIn,
  type ProviderDefinition,
  prepareModels,
  readHere,
  runModel,
  type ServedModel,
  withModelMember,
} from "../providers/index.ts";
import { dollars } from "./check-prices.ts";
import { priceFor, wordFor } from "./run-exchange.ts";

export interface LiveCallDeps {
  readonly clock: Clock;
  readonly upstream: Upstream;
  credentialOf(setting: string, hosts: readonly string[]): Secret | null;
  // The reference for the call, if the provider accepts one.
  readonly reference: string;
  // Called before anything is sent: what, where to, with whose credential, and what it costs at most.
  say(line: string): void;
}

export interface LiveCall {
  readonly model: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly status: number;
  readonly bytes: number;
  readonly held_usd: string;
  readonly charged_usd: string;
}

// Returns a sentence if no call was made.
export async function liveCall(
  deps: LiveCallDeps,
  definition: ProviderDefinition,
  modelName: string | null,
): Promise<LiveCall | string> {
  const models = prepareModels(deps, definition, null);
  if (models.length === 0) return credentialMissing(definition);
  const model =
    modelName === null ? cheapestOf(models) : models.find(({ definition: { model } }) => model === modelName);
  const price = model && priceFor(model);
  if (!model || !price) return `It has no model ${modelName ?? "with an example"}.`;
  const bytes = Buffer.from(JSON.stringify(model.definition.example ?? {}));
  const verdict = checkInput(model, bytes);
  if (!verdict.ok) return `The example of ${model.id} is refused by its own input schema.`;
  const { clock, upstream, reference } = deps;
  deps.say(announcement(definition, model, holdBound(price, verdict.document)));
  const longest = startDeadline({ clock, afterMs: model.definition.longest_run_seconds * 1000 });
  try {
    const outcome = await runModel({ clock, upstream, answers: readHere }, model, {
      reference,
      body: withModelMember(model.definition, bytes, verdict.namesModel),
      document: verdict.document,
      exactIntegers: verdict.exactIntegers,
      signal: longest.signal,
      accepted: async () => undefined,
    });
    const ending = decideEnding(outcome, { model: { ...model, price }, input: verdict.document });
    return {
      model: model.id,
      outcome: wordFor(outcome),
      reason: "reason" in outcome ? outcome.reason : null,
      status: ending.answer.status,
      bytes: ending.answer.body.byteLength,
      held_usd: dollars(holdBound(price, verdict.document)),
      charged_usd: dollars(ending.charge),
    };
  } finally {
    longest.release();
  }
}

function credentialMissing(definition: ProviderDefinition): string {
  const { credential } = definition;
  const setting = credential.kind === "none" ? "" : credential.setting;
  const isPair = credential.kind === "key_pair" || credential.kind === "jwt_hs256";
  const hosts = hostsIn(definition).join(", ");
  return `Its credential is not configured: set ${setting}${isPair ? " to id:secret" : ""}. It is sent to ${hosts}; if ${setting}_HOSTS is set, it must list them.`;
}

function announcement(definition: ProviderDefinition, { id, baseUrl }: ServedModel, held: bigint): string {
  const { credential } = definition;
  const whose = credential.kind === "none" ? "nobody" : `the owner of ${credential.setting}`;
  return `One real call of ${id}, with its example, to ${new URL(baseUrl).host}: at most ${dollars(held)} USD, which the provider bills to ${whose}.`;
}

function cheapestOf(models: readonly ServedModel[]): ServedModel | undefined {
  const costs = models.flatMap((model) => {
    const price = priceFor(model);
    const { example } = model.definition;
    return price === null || example === undefined ? [] : [{ model, cost: holdBound(price, example) }];
  });
  return costs.toSorted((one, other) => (one.cost < other.cost ? -1 : 1))[0]?.model;
}
