// Every shipped definition passes the conformance kit against a provider on loopback, and the kit is strict: it finds
// every fault planted in a definition: a rule, a state, an amount, a path or a header.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  checkProvider,
  type FixtureAnswer,
  type ScriptedProvider,
  scriptedProvider,
} from "../src/capabilities/conformance/index.ts";
import { priceChecks } from "../src/capabilities/prices/index.ts";
import { matchRule, ProviderDefinition, received, valueAt } from "../src/capabilities/providers/index.ts";
import { compileSchema } from "../src/foundation/json/schema.ts";
import { type Shipped, shippedFiles } from "./support/shipped-definitions.ts";

const shipped = await shippedFiles();
let on: ScriptedProvider;
before(async () => {
  on = await scriptedProvider();
});
after(() => on.close());

type Model = ProviderDefinition["models"][number];

function definitionOf({ definition }: Shipped): ProviderDefinition {
  const shape = compileSchema(ProviderDefinition);
  assert.ok(shape.accepts(definition));
  return definition;
}

const check = (definition: unknown, fixtures: unknown, onlyFixtures = false) =>
  checkProvider({ checks: priceChecks, definition, fixtures, on, onlyFixtures });

test("at least ten partners ship: pictures, clips, sound and text", () => {
  assert.ok(shipped.length >= 10, `${shipped.length}`);
  const ids = shipped.flatMap((one) => definitionOf(one).models.map(({ model }) => `${one.name}/${model}`));
  const kinds = {
    pictures: ["bfl/flux-2-pro", "openai/gpt-image-1", "google/gemini-3-pro-image", "freepik/ai-image-relight"],
    clips: ["runway/gen4_turbo", "kling/kling-v2-5-turbo", "luma/ray-2"],
    sound: ["elevenlabs/eleven_v3", "stability/stable-audio-2.5"],
    text: ["anthropic/claude-sonnet-4-5", "openai/gpt-4.1-mini"],
  };
  for (const id of Object.values(kinds).flat()) assert.ok(ids.includes(id), id);
});

for (const one of shipped) {
  describe(one.name, () => {
    const definition = definitionOf(one);

    test("passes the kit", async () => {
      const report = await check(one.definition, one.fixtures);
      assert.deepEqual(report.findings, []);
      assert.equal(report.models, definition.models.length);
      assert.ok(report.cases >= 15 * report.models, `${report.cases} cases`);
    });

    test("is named like its file, needs a credential, says what is documented where and what is unconfirmed, and claims no billing fact", () => {
      assert.equal(definition.provider, one.name);
      assert.ok(definition.credential.kind !== "none");
      assert.ok((definition.documentation ?? []).length > 0 && (definition.unverified ?? []).length > 0);
      for (const model of definition.models) {
        assert.equal(model.charges_on_policy_rejection, "unknown");
        assert.ok(model.input_schema !== null && model.example !== undefined && model.released, model.model);
        // Sound has no output schema; documented JSON answers have one.
        assert.equal(model.output_schema === undefined, model.output_types !== undefined, model.model);
      }
    });

    test("a fault planted anywhere is found", async () => {
      const unnoticed: string[] = [];
      for (const { model, what, planted, shows } of faultsIn(definition)) {
        const { findings } = await check(planted, fixturesOf(one, model, shows), true);
        // Found by a case with another result or by a price. A finding that nothing covers it would not count.
        if (!findings.some((finding) => finding.case !== null || finding.problem.startsWith("prices/")))
          unnoticed.push(`${model}: ${what}`);
      }
      assert.deepEqual(unnoticed, []);
    });
  });
}

test("an output schema that the documented answer does not match is found", async () => {
  const fal = shipped.find(({ name }) => name === "fal") ?? assert.fail();
  const definition = definitionOf(fal);
  const wrong = { type: "object", required: ["pictures"], properties: { seed: { type: "string" } } };
  const models = definition.models.map((model) => ({ ...model, output_schema: wrong }));
  const { findings } = await check({ ...definition, models }, fal.fixtures, true);
  for (const problem of ["/pictures is required", "/seed must be string"])
    assert.ok(
      findings.some((finding) => finding.problem === `the answer does not match /output_schema: ${problem}`),
      JSON.stringify(findings),
    );
});

test("a fault that shows only on a provider's bad day is found too", async () => {
  const bfl = shipped.find(({ name }) => name === "bfl");
  assert.ok(bfl);
  const rule = { when: { status: [401] }, means: "rejected_input" };
  const passing = { ...bfl.definition, models: definitionOf(bfl).models.map((model) => ({ ...model, rules: [rule] })) };
  const { findings } = await check(passing, bfl.fixtures);
  assert.ok(findings.some((finding) => finding.case === "our account is refused with 401"));
  assert.ok(findings.some(({ problem }) => /caller got 400/.test(problem)));
});

test("foreign, missing and broken fixtures are reported", async () => {
  const [one, other] = shipped;
  assert.ok(one && other);
  const problems = async (definition: unknown, fixtures: unknown) =>
    (await check(definition, fixtures)).findings.map(({ problem }) => problem).join("; ");
  assert.match(await problems(one.definition, other.fixtures), /the fixtures belong to .*there are no fixtures for it/);
  assert.match(await problems(one.definition, {}), /\/provider is required/);
  assert.match(await problems({ ...one.definition, base_url: "ftp://x" }, one.fixtures), /base_url/);
});

interface Case {
  readonly means: string;
  readonly answers: readonly FixtureAnswer[];
}

// Only the cases that can show a fault; the others run where nothing is planted.
function fixturesOf({ fixtures }: Shipped, model: string, shows: (one: Case) => boolean) {
  const own = Object(Reflect.get(Object(fixtures["models"]), model));
  const cases: readonly Case[] = own.cases;
  return { ...fixtures, models: { [model]: { ...own, cases: cases.filter(shows) } } };
}

interface Fault {
  readonly model: string;
  readonly what: string;
  readonly planted: unknown;
  shows(one: Case): boolean;
}

// One fault in one model each; the other models are left out. Rules and states that an earlier model has word for word
// are only broken there.
function faultsIn(definition: ProviderDefinition): Fault[] {
  const { models } = definition;
  const isFirst = (member: "rules" | "poll", index: number) =>
    models.findIndex((each) => shapeOf(each, member) === shapeOf(models[index], member)) === index;
  return models.flatMap((model, index) => {
    const plant = (what: string, changed: Partial<Model>, more: object = {}, shows = isCompleted): Fault => ({
      model: model.model,
      what,
      planted: { ...definition, ...more, models: [{ ...model, ...changed }] },
      shows,
    });
    const { credential } = definition;
    const setting = credential.kind === "none" ? "" : credential.setting;
    return [
      ...(isFirst("rules", index)
        ? rulesAmiss(model).map(({ what, rules, spoilt }) => plant(what, { rules }, {}, meets(model, spoilt)))
        : []),
      ...(isFirst("poll", index)
        ? statesAmiss(model).map(({ what, poll, word }) => plant(what, { poll }, {}, reaches(model, word)))
        : []),
      ...amountsAmiss(model.price).map(({ what, price }) => plant(what, { price })),
      ...Object.keys(model.usage ?? {}).map((name) =>
        plant(`the figure ${name}`, { usage: { ...model.usage, [name]: "/nowhere" } }),
      ),
      ...(model.result ? [plant("the result", { result: ["/nowhere"] })] : []),
      plant("the path", { submit: { ...model.submit, path: `${model.submit.path}x` } }),
      ...(model.submit.model_member
        ? [plant("the model's name", { submit: { path: model.submit.path, encoding: model.submit.encoding } })]
        : []),
      plant("the credential's header", {}, { credential: { kind: "header", header: "x-other", setting } }),
      ...(definition.headers ? [plant("the fixed header", {}, { headers: {} })] : []),
    ];
  });
}

const shapeOf = (model: Model | undefined, member: "rules" | "poll") => JSON.stringify(model?.[member] ?? null);

const isCompleted = ({ means }: Case) => means === "completed";

const readsOf = ({ answers }: Case) =>
  answers.map(({ status = 200, headers = {}, body, text }) =>
    received(
      status,
      { "content-type": "application/json", ...headers },
      Buffer.from(text ?? JSON.stringify(body ?? null)),
    ),
  );

const meets = (model: Model, rule: NonNullable<Model["rules"]>[number]) => (one: Case) =>
  readsOf(one).some((answer) => matchRule(model, answer) === rule);

const reaches =
  ({ poll }: Model, word: string) =>
  (one: Case) =>
    readsOf(one).some(({ document }) => poll && valueAt(document, poll.state) === word);

const others = { refused: "failed", failed: "refused" } as const;

type Rules = NonNullable<Model["rules"]>;

function rulesAmiss({ rules = [] }: Model): { what: string; rules: Rules; spoilt: Rules[number] }[] {
  return rules.flatMap((rule, index) => {
    const means = rule.means === "refused" ? others.refused : others.failed;
    return [
      { what: `rule ${index} means ${means}`, rules: rules.with(index, { ...rule, means }), spoilt: rule },
      { what: `rule ${index} is missing`, rules: rules.toSpliced(index, 1), spoilt: rule },
    ];
  });
}

function statesAmiss({ poll }: Model): { what: string; poll: NonNullable<Model["poll"]>; word: string }[] {
  if (!poll) return [];
  const kinds = ["succeeded", "failed", "refused"] as const;
  return kinds.flatMap((kind) =>
    (poll[kind] ?? []).flatMap((word, index) => [
      { what: `the state ${word}`, word, poll: { ...poll, [kind]: (poll[kind] ?? []).with(index, `${word}x`) } },
      {
        what: `the state ${word} as ${kind === "failed" ? "refused" : "failed"}`,
        word,
        poll: {
          ...poll,
          [kind]: (poll[kind] ?? []).map((own) => (own === word ? "never" : own)),
          [kind === "failed" ? "refused" : "failed"]: [...(poll[kind === "failed" ? "refused" : "failed"] ?? []), word],
        },
      },
    ]),
  );
}

// Each amount of a price, changed a little.
function amountsAmiss(price: unknown): { what: string; price: unknown }[] {
  const text = JSON.stringify(price);
  return [...text.matchAll(/"(\d+(?:\.\d+)?)"(?!:)/g)]
    .filter(([, amount]) => Number(amount) > 0)
    .filter((match) => !/"otherwise":$/.test(text.slice(0, match.index)))
    .map((match) => {
      const [whole, amount = ""] = match;
      const changed = `${text.slice(0, match.index)}"${raised(amount)}"${text.slice(match.index + whole.length)}`;
      return { what: `the amount ${amount}`, price: JSON.parse(changed) };
    });
}

// One more in its last decimal.
function raised(amount: string): string {
  const [whole = "", decimals = ""] = amount.split(".");
  const digits = String(BigInt(whole + decimals) + 1n).padStart(amount.length - (decimals === "" ? 0 : 1), "0");
  return decimals === "" ? digits : `${digits.slice(0, -decimals.length)}.${digits.slice(-decimals.length)}`;
}
