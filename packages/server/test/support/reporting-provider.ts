// A provider on loopback with a single model. It answers from the model's fixtures and reports what the test says.
// Fixtures for the sandbox's models are generated from their definitions.
import assert from "node:assert/strict";
import {
  type FixtureAnswer,
  type ProviderFixtures,
  scriptedProvider,
} from "../../src/capabilities/conformance/index.ts";
import { buildFixtureAnswer, checkSecret, ledHome } from "../../src/capabilities/conformance/led-home.ts";
import type { ScriptedAnswer } from "../../src/capabilities/conformance/scripted-provider.ts";
import { withValueAt } from "../../src/capabilities/conformance/with-value-at.ts";
import type { ModelDefinition, ProviderDefinition } from "../../src/capabilities/providers/index.ts";

export interface ReportingProvider {
  // Only this model, pointed at loopback. Providers of one test have different names and settings.
  readonly definition: ProviderDefinition;
  readonly model: ModelDefinition;
  readonly id: string;
  // Keyed by the name of the credential's setting.
  readonly credentials: Readonly<Record<string, string>>;
  // What it reports for the next call. Facts that are not named are not reported.
  report(facts: Readonly<Record<string, number | string>>): void;
  close(): Promise<void>;
}

export async function reportingProvider(
  whole: ProviderDefinition,
  model: ModelDefinition,
  fixtures: ProviderFixtures | null,
  number: number,
): Promise<ReportingProvider> {
  const on = await scriptedProvider();
  const { credential } = whole;
  const alone: ProviderDefinition = {
    ...whole,
    provider: `${whole.provider}-${number}`,
    credential: "setting" in credential ? { ...credential, setting: `${credential.setting}_${number}` } : credential,
    models: [hurried(model)],
  };
  const cases = fixtures?.models[model.model]?.cases ?? [];
  const scripted = fixtures === null ? madeUp(model) : cases.find(({ means }) => means === "completed")?.answers;
  assert.ok(scripted, `${whole.provider}/${model.model} has no fixture of a success`);
  // Keep the first answer and the last: those in between only say that the call is still running.
  const steps = scripted
    .filter((_, at, all) => at === 0 || at >= all.length - (model.poll?.fetch ? 2 : 1))
    .map((step) => buildFixtureAnswer(whole, on, step));
  return {
    definition: ledHome(alone, on),
    model,
    id: `${alone.provider}/${model.model}`,
    credentials: "setting" in alone.credential ? { [alone.credential.setting]: checkSecret(whole).reveal() } : {},
    report(facts) {
      const last = steps.at(-1);
      const reporting = last && reported(last, model, facts);
      const answers = reporting ? [...steps.slice(0, -1), reporting] : steps;
      on.play({
        answer: (index) => answers[Math.min(index, answers.length - 1)] ?? null,
        onSilence: () => undefined,
      });
    },
    close: () => on.close(),
  };
}

// Prices do not depend on the time between two polls.
function hurried(model: ModelDefinition): ModelDefinition {
  return model.poll ? { ...model, poll: { ...model.poll, interval_ms: 50, interval_ms_max: 50 } } : model;
}

function reported(
  answer: ScriptedAnswer,
  { usage = {} }: ModelDefinition,
  facts: Readonly<Record<string, number | string>>,
): ScriptedAnswer {
  let made = answer;
  for (const [name, location] of Object.entries(usage)) {
    const fact = facts[name] ?? null;
    if (typeof location === "string") made = withValueAt(made, location, fact);
    else {
      const { [location.header.toLowerCase()]: _before, ...headers } = made.headers;
      made = { ...made, headers: fact === null ? headers : { ...headers, [location.header]: String(fact) } };
    }
  }
  return made;
}

function madeUp(model: ModelDefinition): readonly FixtureAnswer[] {
  const [type] = model.output_types ?? [];
  if (type !== undefined) return [{ headers: { "content-type": type }, text: "sound" }];
  const result = { images: [{ url: "http://127.0.0.1/1.png" }], video: { url: "http://127.0.0.1/1.webp" } };
  if (!model.poll) return [{ body: { ...result, text: "words", usage: {} } }];
  return [
    { status: 202, body: { id: "task-1", status: "QUEUED" } },
    { body: { id: "task-1", status: "SUCCEEDED", result: { ...result, usage: {} } } },
  ];
}
