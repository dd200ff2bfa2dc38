// Checks that we understand a provider that can be asked about our reference. After a crash the difference between "never
// arrived", "still runs" and "ended" decides whether a call is sent again. Trouble with asking must mean none of them.
import { askAbout, type ModelDefinition, readHere } from "../providers/index.ts";
import { requestHeaderProblems } from "./check-request.ts";
import type { ModelFixtures } from "./fixtures.ts";
import { checkSecret } from "./led-home.ts";
import type { GoodCase } from "./own-cases.ts";
import { type Bench, readyModel, reference } from "./run-exchange.ts";
import type { ScriptedAnswer } from "./scripted-provider.ts";

const empty = (status: number): ScriptedAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from("{}"),
});

export async function askProblems(
  bench: Bench,
  definition: ModelDefinition,
  fixtures: ModelFixtures,
  good: GoodCase,
): Promise<string[]> {
  const { ask } = definition;
  if (!ask) return [];
  const { ask: expected } = fixtures;
  if (!expected) return ["add `ask` to the fixtures: the request that looks up our reference"];
  const ready = readyModel(bench, definition.model);
  if (!ready) return ["the model could not be prepared"];
  const problems: string[] = [];
  const [first, ...rest] = good.answers;
  const last = rest.at(-1);
  const ended = first ? [first, ...(last ? [last] : [])] : [];
  const tries: readonly [readonly ScriptedAnswer[], string][] = [
    ...ask.not_found.map((status): [ScriptedAnswer[], string] => [[empty(status)], "not_found"]),
    ...ask.running.map((status): [ScriptedAnswer[], string] => [[empty(status)], "running"]),
    ...[401, 500].map((status): [ScriptedAnswer[], string] => [[empty(status)], "unreachable"]),
    [ended, "ended"],
  ];
  for (const [steps, wanted] of tries) {
    const seen = bench.provider.play({ answer: (index) => steps[index] ?? null, onSilence: () => undefined });
    const signal = new AbortController().signal;
    const asked = await askAbout(
      { upstream: bench.upstream, clock: ready.clock, answers: readHere },
      ready.model,
      reference,
      signal,
    );
    const [request] = seen;
    const path = expected.path.replaceAll("{reference}", reference);
    if (asked.kind !== wanted)
      problems.push(
        `looking up the reference, status ${steps[0]?.status ?? 0} was read as ${asked.kind} instead of ${wanted}`,
      );
    if (request?.path !== path) problems.push(`it looked up ${request?.path ?? "nothing"}; documented: ${path}`);
    if (request)
      problems.push(
        ...requestHeaderProblems(checkSecret(bench.definition).reveal(), expected, request, ready.clock.now()),
      );
  }
  return [...new Set(problems)];
}
