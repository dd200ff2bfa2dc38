// What any provider can do, no matter what its documentation says: refuse our account, be busy, fail, be slow, drop the
// connection, answer nonsense, forget a token, add a state. Derived from a fixture that completes, so that the same call
// can recover.
import type { AnswerLocation, ModelDefinition } from "../providers/index.ts";
import type { Exchange, Ran } from "./run-exchange.ts";
import type { ScriptedAnswer, ScriptedStep } from "./scripted-provider.ts";
import { withValueAt } from "./with-value-at.ts";

export interface OwnCase {
  readonly name: string;
  readonly exchange: Exchange;
  readonly submissions: number;
  readonly expected: {
    readonly status: number;
    readonly next: readonly Ran["ending"]["next"][];
    // If true, it is charged like the good case; otherwise nothing.
    readonly isCharged?: boolean;
  };
}

export interface GoodCase {
  readonly input: unknown;
  readonly answers: readonly ScriptedAnswer[];
}

const json = (status: number, value: unknown): ScriptedAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value)),
});
const page: ScriptedAnswer = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<h1>CONFORMANCE-PAGE</h1>"),
};
// Text in a provider's answer that the caller must never see.
export const neverShown = "CONFORMANCE-PAGE";

const released = ["release"] as const;
const failedAnyhow = ["release", "record", "unknown", "stay_open"] as const;

export function ownCases(model: ModelDefinition, good: GoodCase): OwnCase[] {
  return [...atSubmission(model, good), ...(model.poll ? whileAsking(model, model.poll, good) : [])];
}

function atSubmission(model: ModelDefinition, { input, answers }: GoodCase): OwnCase[] {
  const once = (name: string, step: ScriptedStep, expected: OwnCase["expected"]): OwnCase => ({
    name,
    exchange: { input, steps: [step] },
    submissions: 1,
    expected,
  });
  const busy = json(429, {});
  const isAnything = !model.poll && !model.result;
  return [
    // Spec, Errors: a provider's 401, 402 or 403 is about our account and never the caller's.
    ...[401, 402, 403].map((status) =>
      once(`our account is refused with ${status}`, json(status, {}), { status: 502, next: released }),
    ),
    ...[500, 503].map((status) =>
      once(`the provider fails with ${status}`, json(status, {}), { status: 502, next: released }),
    ),
    ...[408, 504].map((status) =>
      once(`the provider runs out of time with ${status}`, json(status, {}), { status: 504, next: released }),
    ),
    once("the connection breaks", "cut", { status: 502, next: ["unknown", "stay_open"] }),
    once("no answer arrives", "silence", { status: 502, next: ["unknown", "stay_open"] }),
    once("an HTML page instead of JSON", page, { status: 502, next: failedAnyhow }),
    ...(isAnything ? [] : [once("a success without a result", json(200, {}), { status: 502, next: failedAnyhow })]),
    {
      name: "a busy provider is retried",
      exchange: { input, steps: [busy, busy, busy, ...answers] },
      submissions: 4,
      expected: { status: 200, next: ["record"], isCharged: true },
    },
    {
      name: "a provider that stays busy",
      exchange: { input, steps: [busy], repeatsLast: true },
      submissions: 4,
      expected: { status: 502, next: released },
    },
  ];
}

function whileAsking(model: ModelDefinition, poll: Poll, { input, answers }: GoodCase): OwnCase[] {
  const [accepted, ...polled] = answers;
  if (!accepted) return [];
  const completed = { status: 200, next: ["record"] as const, isCharged: true };
  const between = (name: string, step: ScriptedStep, ageMs?: Exchange["ageMs"]): OwnCase => ({
    name,
    exchange: { input, steps: [accepted, step, ...polled], ...(ageMs ? { ageMs } : {}) },
    submissions: 1,
    expected: completed,
  });
  const strange = unknownState(poll, polled);
  return [
    // A token may have expired while we waited; the next poll makes a fresh one.
    ...[401, 403].map((status) =>
      between(`polling is refused with ${status} an hour later`, json(status, {}), (index) =>
        index === 0 ? Math.min(3_600_000, (model.longest_run_seconds * 1000) / 2) : 0,
      ),
    ),
    ...[429, 500, 503].map((status) => between(`polling is answered with ${status}`, json(status, {}))),
    between("polling breaks off", "cut"),
    ...(strange ? [between("an unknown state", strange), neverEnding(input, accepted, strange)] : []),
    {
      name: "a task that is gone",
      exchange: { input, steps: [accepted, json(404, {})] },
      submissions: 1,
      expected: { status: 502, next: ["record"] },
    },
    ...(poll.url === undefined ? [] : [leadElsewhere(poll, poll.url, { input, answers }, accepted)]),
    ...(poll.fetch ? [outputLater(answers, input, completed)] : []),
  ];
}

type Poll = NonNullable<ModelDefinition["poll"]>;

// The last answer about the state, with a state we do not know yet.
function unknownState({ fetch, state }: Poll, polled: readonly ScriptedAnswer[]): ScriptedAnswer | null {
  const last = polled[fetch ? polled.length - 2 : polled.length - 1];
  return last ? withValueAt(last, state, "conformance_new_state") : null;
}

function neverEnding(input: unknown, accepted: ScriptedAnswer, state: ScriptedAnswer): OwnCase {
  return {
    name: "a task that never ends",
    exchange: { input, steps: [accepted, state], repeatsLast: true, longestRunSeconds: 60 },
    submissions: 1,
    expected: { status: 504, next: ["record"] },
  };
}

function leadElsewhere(
  poll: Poll,
  location: AnswerLocation,
  { input, answers }: GoodCase,
  accepted: ScriptedAnswer,
): OwnCase {
  const address = "https://elsewhere.invalid/task";
  const elsewhere =
    typeof location === "string"
      ? withValueAt(accepted, location, address)
      : { ...accepted, headers: { ...accepted.headers, [location.header.toLowerCase()]: address } };
  return {
    name: "a URL on another host gets no credential",
    exchange: { input, steps: [elsewhere, ...answers.slice(1)] },
    submissions: 1,
    expected:
      poll.path === undefined ? { status: 502, next: ["record"] } : { status: 200, next: ["record"], isCharged: true },
  };
}

// The output cannot be read right now: the task is polled again, and then the output.
function outputLater(answers: readonly ScriptedAnswer[], input: unknown, expected: OwnCase["expected"]): OwnCase {
  const beforeOutput = answers.slice(0, -1);
  const steps = [...beforeOutput, json(503, {}), ...answers.slice(-2)];
  return { name: "the output cannot be read yet", exchange: { input, steps }, submissions: 1, expected };
}
