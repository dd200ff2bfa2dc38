// The conformance kit: runs a definition and its fixtures against a provider on loopback that answers what the fixtures
// say. For each model it checks every fixture, what any provider can do, prices, and whether the fixtures cover
// everything in the definition. It reports all findings rather than stopping at the first, and connects only to loopback.
import {
  checkDefinition,
  type DefinitionChecks,
  type ModelDefinition,
  type ProviderDefinition,
} from "../providers/index.ts";
import { askProblems } from "./check-ask.ts";
import { coverageProblems } from "./check-coverage.ts";
import { outputProblems } from "./check-output.ts";
import { dollars, microDollars, priceProblems } from "./check-prices.ts";
import { requestProblems } from "./check-request.ts";
import { type FixtureCase, type ModelFixtures, type ProviderFixtures, readFixtures } from "./fixtures.ts";
import { buildFixtureAnswer, checkSecret } from "./led-home.ts";
import { neverShown, type OwnCase, ownCases } from "./own-cases.ts";
import { type Bench, benchOf, inputProblem, type Ran, readyModel, runExchange, wordFor } from "./run-exchange.ts";
import { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";

export interface Finding {
  readonly model: string | null;
  readonly case: string | null;
  readonly problem: string;
}

export interface ConformanceReport {
  readonly provider: string | null;
  readonly models: number;
  readonly cases: number;
  readonly findings: readonly Finding[];
}

export interface CheckProvider {
  readonly checks: DefinitionChecks;
  readonly definition: unknown;
  readonly fixtures: unknown;
  // A provider to reuse; by default a new one for this check.
  readonly on?: ScriptedProvider;
  // Check only the fixtures; by default also what any provider can do.
  readonly onlyFixtures?: boolean;
}

export async function checkProvider(options: CheckProvider): Promise<ConformanceReport> {
  const checked = checkDefinition(options.checks, options.definition);
  if (!checked.ok) return refused(null, checked.problems);
  const { definition } = checked;
  const read = readFixtures(options.fixtures);
  if (!read.ok)
    return refused(
      definition.provider,
      read.problems.map((problem) => `in the fixtures: ${problem}`),
    );
  const provider = options.on ?? (await scriptedProvider());
  const bench = benchOf(definition, provider);
  try {
    const found = unmatched(definition, read.fixtures);
    let cases = 0;
    for (const model of definition.models) {
      const fixtures = read.fixtures.models[model.model];
      if (!fixtures) continue;
      const one = await checkModel(bench, model, fixtures, options.onlyFixtures ?? false);
      cases += one.cases;
      found.push(...one.findings);
    }
    return { provider: definition.provider, models: definition.models.length, cases, findings: found };
  } finally {
    await bench.upstream.close();
    if (!options.on) await provider.close();
  }
}

function refused(provider: string | null, problems: readonly string[]): ConformanceReport {
  return { provider, models: 0, cases: 0, findings: problems.map((problem) => ({ model: null, case: null, problem })) };
}

function unmatched(definition: ProviderDefinition, fixtures: ProviderFixtures): Finding[] {
  const names = definition.models.map(({ model }) => model);
  const about = (model: string, problem: string): Finding => ({ model, case: null, problem });
  return [
    ...(fixtures.provider === definition.provider
      ? []
      : [{ model: null, case: null, problem: `the fixtures belong to ${fixtures.provider}` }]),
    ...names.filter((name) => !fixtures.models[name]).map((name) => about(name, "there are no fixtures for it")),
    ...Object.keys(fixtures.models)
      .filter((name) => !names.includes(name))
      .map((name) => about(name, "there are fixtures for it but no definition")),
  ];
}

interface CheckedModel {
  readonly cases: number;
  readonly findings: readonly Finding[];
}

async function checkModel(
  bench: Bench,
  model: ModelDefinition,
  fixtures: ModelFixtures,
  onlyFixtures: boolean,
): Promise<CheckedModel> {
  const findings: Finding[] = [];
  const say = (name: string | null) => (problem: string) =>
    void findings.push({ model: model.model, case: name, problem });
  const answersOf = (one: FixtureCase) =>
    one.answers.map((answer) => buildFixtureAnswer(bench.definition, bench.provider, answer));
  priceProblems(model, [...(fixtures.prices ?? []), ...pricedCases(model, fixtures)]).forEach(say(null));
  coverageProblems(model, fixtures, fixtures.cases.flatMap(answersOf)).forEach(say(null));
  const example = exampleProblem(bench, model);
  if (example !== null) say(null)(example);
  // A case without its own input cannot run then, and would only repeat the finding.
  const cases = fixtures.cases.filter(({ input }) => input !== undefined || example === null);
  for (const one of cases) new Set(await fixtureProblems(bench, model, fixtures, one)).forEach(say(one.name));
  const good = cases.find(({ means }) => means === "completed");
  // These cases are derived from a good case; if that fails, they would fail the same way.
  const isGood = good && !findings.some((finding) => finding.case === good.name);
  if (!isGood || onlyFixtures) return { cases: cases.length, findings };
  const goodCase = { input: inputOf(model, good), answers: answersOf(good) };
  (await askProblems(bench, model, fixtures, goodCase)).forEach(say("asking about our reference"));
  const own = ownCases(model, goodCase);
  for (const one of own) (await ownProblems(bench, model, fixtures, one, good)).forEach(say(one.name));
  return { cases: fixtures.cases.length + own.length, findings };
}

function exampleProblem(bench: Bench, model: ModelDefinition): string | null {
  const ready = model.example === undefined ? null : readyModel(bench, model.model);
  const problem = ready ? inputProblem(ready.model, model.example) : null;
  return problem === null ? null : `/example is refused by /input_schema: ${problem}`;
}

function inputOf(model: ModelDefinition, { input }: FixtureCase): unknown {
  return input ?? model.example ?? {};
}

// A case that completes is also a documented price, if its figures come only from the input.
function pricedCases(model: ModelDefinition, { cases }: ModelFixtures): NonNullable<ModelFixtures["prices"]> {
  if (model.usage) return [];
  return cases.flatMap((one) => {
    const input = inputOf(model, one);
    return one.means === "completed" && one.charged_usd !== undefined && typeof input === "object" && input !== null
      ? [{ input: { ...input }, charged_usd: one.charged_usd }]
      : [];
  });
}

async function fixtureProblems(
  bench: Bench,
  model: ModelDefinition,
  fixtures: ModelFixtures,
  one: FixtureCase,
): Promise<string[]> {
  const answers = one.answers.map((answer) => buildFixtureAnswer(bench.definition, bench.provider, answer));
  const isBusy = one.means === "rate_limited";
  const exchange = { input: inputOf(model, one), steps: answers, repeatsLast: isBusy };
  const ran = await runExchange(bench, model.model, exchange);
  if ("problem" in ran) return [ran.problem];
  if (ran.ranOut)
    return [
      `the provider's last answer was not recognised as an end (it should mean ${one.means}), so it was polled again`,
    ];
  const word = wordFor(ran.outcome);
  if (word !== one.means) return [`it ended as ${word}${reasonOf(ran)}; documented: ${one.means}`];
  const charged = microDollars(one.charged_usd ?? "0");
  const problems = [...commonProblems(bench, model, fixtures, ran, isBusy ? 4 : 1)];
  if (one.means === "completed" && one.charged_usd === undefined) problems.push("add charged_usd: what the call costs");
  else if (ran.ending.charge !== charged)
    problems.push(`it was charged ${dollars(ran.ending.charge)} USD; documented: ${dollars(charged)}`);
  if (ran.requests.length !== (isBusy ? 4 : answers.length))
    problems.push(`${answers.length} answers are documented, but it made ${ran.requests.length} requests`);
  if (one.key !== undefined && one.key !== (ran.ending.next === "release" ? "free" : "used"))
    problems.push(`the key should be ${one.key}, but is "${ran.ending.next}"`);
  if (one.message !== undefined && !ran.ending.answer.body.toString().includes(one.message))
    problems.push(`the caller does not see "${one.message}"`);
  if (one.means === "completed" && !ran.ending.answer.body.equals(answers.at(-1)?.body ?? Buffer.alloc(0)))
    problems.push("the caller did not get the provider's bytes");
  if (one.means === "completed") problems.push(...outputProblems(model, ran.ending.answer));
  return problems;
}

function reasonOf({ outcome }: Ran): string {
  return "reason" in outcome ? ` (${outcome.reason})` : "";
}

async function ownProblems(
  bench: Bench,
  model: ModelDefinition,
  fixtures: ModelFixtures,
  one: OwnCase,
  good: FixtureCase,
): Promise<string[]> {
  const ran = await runExchange(bench, model.model, one.exchange);
  if ("problem" in ran) return [ran.problem];
  const { status, next, isCharged = false } = one.expected;
  const { ending } = ran;
  const problems = [...commonProblems(bench, model, fixtures, ran, one.submissions)];
  if (ran.ranOut) problems.push("it polled more often than expected");
  if (ending.answer.status !== status)
    problems.push(
      `the caller got ${ending.answer.status} (${wordFor(ran.outcome)}${reasonOf(ran)}) instead of ${status}`,
    );
  if (!next.includes(ending.next)) problems.push(`the key ends as "${ending.next}" instead of ${next.join(" or ")}`);
  const charged = isCharged ? microDollars(good.charged_usd ?? "0") : 0n;
  if (ending.charge !== charged)
    problems.push(`${dollars(ending.charge)} USD were charged instead of ${dollars(charged)}`);
  return problems;
}

// What must hold in every case: the request is as documented, the charge is within its hold, and neither the credential
// nor the provider's error page reaches the caller.
function commonProblems(
  { definition }: Bench,
  model: ModelDefinition,
  fixtures: ModelFixtures,
  ran: Ran,
  submissions: number,
): string[] {
  const secret = checkSecret(definition).reveal();
  const shown = `${JSON.stringify(ran.ending.answer.headers)}${ran.ending.answer.body.toString()}`;
  return [
    ...requestProblems({ model, fixtures, secret, submissions }, ran),
    ...(ran.ending.charge > ran.held ? ["it was charged more than was reserved"] : []),
    ...(shown.includes(secret) || shown.includes(neverShown)
      ? ["the caller was shown a credential or the provider's error page"]
      : []),
  ];
}
