// Decisions, section 2: a badge and the charge come from one price record. Tested for everything that has a price: the
// shipped models, the sandbox's and the partners' operations, each with several inputs over real HTTP. The badge is read
// from the server and evaluated as a client does; then hold, charge, header and journal must agree with it.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type Badge, BadgeMap, CatalogPage } from "@atelier/contract";
import { sandboxModels } from "@atelier/sandbox";
import jsonata from "jsonata";
import { ProviderFixtures, type ScriptedProvider, scriptedProvider } from "../src/capabilities/conformance/index.ts";
import { buildFixtureAnswer, checkSecret, ledHome } from "../src/capabilities/conformance/led-home.ts";
import { shippedDefinition, shippedNames } from "../src/capabilities/model-calls/catalog/shipped-providers.ts";
import { parseCredits, parseDecimal, toMicroCredits } from "../src/capabilities/prices/index.ts";
import { type ProviderDefinition, valueAt } from "../src/capabilities/providers/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { type PartnerApp, partnerApp, pixel, taskIdOf } from "./support/partner-app.ts";
import { type RecordedInvocation, recordedByCall, recordedByRequest } from "./support/router-records-store.ts";
import { type SandboxProvider, sandboxProvider } from "./support/sandbox-provider.ts";
import { shippedFiles } from "./support/shipped-definitions.ts";

const creditsPerUsd = 211;

let it: PartnerApp;
let on: ScriptedProvider;
let sandbox: SandboxProvider;
let folder: string;
let shipped: Map<string, { definition: ProviderDefinition; fixtures: ProviderFixtures }>;
let badges: Map<string, Badge>;

before(async () => {
  on = await scriptedProvider();
  sandbox = await sandboxProvider();
  folder = await mkdtemp(join(tmpdir(), "atelier-badges-"));
  shipped = new Map();
  const credentials: Record<string, string> = {};
  const files = [sandbox.file];
  for (const { name, fixtures } of await shippedFiles()) {
    const definition = await shippedDefinition(name);
    assert.ok(definition && definition.credential.kind !== "none");
    shipped.set(name, { definition, fixtures: requireValid(ProviderFixtures, fixtures) });
    credentials[definition.credential.setting] = checkSecret(definition).reveal();
    const path = join(folder, `${name}.json`);
    await writeFile(path, JSON.stringify(hurried(ledHome(definition, on))));
    files.push(path);
  }
  it = await partnerApp({
    credentials,
    env: { ATELIER_PROVIDERS: files.join(","), ATELIER_BOOTSTRAP_CREDITS: "100000000" },
  });
  badges = await servedBadges();
});
after(async () => {
  await it?.close();
  await sandbox?.close();
  await on?.close();
  await rm(folder, { recursive: true, force: true });
});

// Prices do not depend on the time between two polls.
function hurried(definition: ProviderDefinition): ProviderDefinition {
  return {
    ...definition,
    models: definition.models.map((model) =>
      model.poll ? { ...model, poll: { ...model.poll, interval_ms: 50, interval_ms_max: 50 } } : model,
    ),
  };
}

async function servedBadges(): Promise<Map<string, Badge>> {
  const answer = await it.app.call({ path: `/nodes/pricing/badges?app_version=nightly&platform=cloud` });
  assert.equal(answer.status, 200);
  return new Map(Object.entries(requireValid(BadgeMap, answer.json())));
}

test("the served badges cover every type of result: usd, range_usd, list_usd and text", async () => {
  const types = new Set<string>();
  for (const { expr } of badges.values()) {
    const result: unknown = await jsonata(expr).evaluate({ widgets: {}, inputs: {}, inputGroups: {} });
    types.add(textOf(result, "type"));
  }
  assert.deepEqual([...types].sort(), ["list_usd", "range_usd", "text", "usd"]);
});

// As clients write them: numbers unchanged, everything else trimmed and in lower case.
function widgetValue(type: string, value: unknown): unknown {
  if (value === undefined) return null;
  if (type === "INT" || type === "FLOAT") return typeof value === "number" ? value : null;
  return typeof value === "number" || typeof value === "boolean" ? value : String(value).trim().toLowerCase();
}

type Shown = { readonly kind: "span"; least: bigint; most: bigint } | { readonly kind: "rate" };

// What the node's served badge says about this input, in micro-credits.
async function shownOn(node: string, widgetsOf: (name: string) => unknown): Promise<Shown> {
  const badge = badges.get(node);
  assert.ok(badge, `${node} has no badge`);
  const widgets = Object.fromEntries(
    badge.depends_on.widgets.map(({ name, type }) => [name, widgetValue(type, widgetsOf(name))]),
  );
  const result: unknown = await jsonata(badge.expr).evaluate({ widgets, inputs: {}, inputGroups: {} });
  const amount = (value: unknown): bigint => {
    const decimal = typeof value === "number" ? parseDecimal(Number(value).toFixed(12)) : null;
    assert.ok(decimal, `${node} shows ${JSON.stringify(result)}`);
    return toMicroCredits(decimal, creditsPerUsd);
  };
  const suffix: unknown = valueAt(result, "/format/suffix");
  if (typeof suffix === "string" && /second|tokens/.test(suffix)) return { kind: "rate" };
  const type = textOf(result, "type");
  if (type === "usd")
    return { kind: "span", least: amount(memberOf(result, "usd")), most: amount(memberOf(result, "usd")) };
  assert.equal(type, "range_usd", `${node} shows ${JSON.stringify(result)}`);
  return { kind: "span", least: amount(memberOf(result, "min_usd")), most: amount(memberOf(result, "max_usd")) };
}

function assertAgree(shown: Shown, recorded: RecordedInvocation, used: bigint, what: string): void {
  assert.deepEqual([recorded.settled, recorded.settleSum], [used, used], `${what}: charge, journal and header`);
  assert.ok(used <= recorded.hold, `${what}: ${used} of ${recorded.hold}`);
  if (shown.kind === "rate") return;
  assert.equal(recorded.hold, shown.most, `${what}: the most that the badge says is what is held`);
  assert.ok(shown.least <= used && used <= shown.most, `${what}: ${shown.least} ≤ ${used} ≤ ${shown.most}`);
}

// What one completed call took from the wallet.
async function paidOver(run: () => Promise<void>): Promise<bigint> {
  const available = async () =>
    parseCredits(textOf((await it.read("/account/credits")).json(), "available")) ?? assert.fail();
  const before = await available();
  await run();
  return before - (await available());
}

const invoke = (id: string, body: object) =>
  it.app.call({ method: "POST", path: `/v1/models/${id}`, headers: bearer(it.app.key), body });

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

// The example with every value that the price depends on, and with another text.
function otherInputs(price: unknown, example: Record<string, unknown>): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const put = (pointer: unknown, value: unknown) => {
    if (typeof pointer !== "string") return;
    const [, first = "", second] = pointer.split("/");
    const inner = second === undefined ? value : { ...record(example[first]), [second]: value };
    found.push({ ...example, [first]: inner });
  };
  const walk = (term: unknown): void => {
    if (typeof term !== "object" || term === null) return;
    const { from, by, cases, least, most, default: usual } = record(term);
    for (const value of [least, most, usual]) if (value !== undefined) put(from, value);
    for (const word of Object.keys(record(cases))) {
      put(by, word);
      if (/^\d+$/.test(word)) put(by, Number(word));
    }
    for (const inner of Object.values(term)) walk(inner);
  };
  walk(price);
  const text = Object.entries(example).find(([name, value]) => /prompt|text/.test(name) && typeof value === "string");
  const another = text ? { ...example, [text[0]]: "something else entirely" } : { ...example };
  // A few rows of every table are enough: the pure tests of badges cover all of them.
  return [another, ...found].slice(0, 8);
}

describe("shipped models: served badge, hold, charge, header and journal agree", { timeout: 900_000 }, async () => {
  for (const name of await shippedNames()) {
    test(name, async () => {
      const { definition, fixtures } = shipped.get(name) ?? assert.fail();
      for (const model of definition.models) {
        const own = fixtures.models[model.model] ?? assert.fail(model.model);
        const made = own.cases.find(({ means }) => means === "completed") ?? assert.fail(model.model);
        // The answer to the submission and the last one: those in between only say that the call is still running.
        const steps = made.answers.filter((_, at, all) => at === 0 || at >= all.length - (model.poll?.fetch ? 2 : 1));
        const node = model.nodes?.[0]?.name ?? assert.fail(`${model.model} names no node`);
        const example = record(model.example);
        const documented = (own.prices ?? []).map(({ input }) => ({ ...example, ...record(input) }));
        const inputs = [example, ...documented, ...otherInputs(model.price, example)];
        let compared = 0;
        for (const input of inputs) {
          on.play({
            answer: (index) => {
              const step = steps[Math.min(index, steps.length - 1)];
              return step ? buildFixtureAnswer(definition, on, step) : null;
            },
            onSilence: () => undefined,
          });
          const what = `${name}/${model.model} ${JSON.stringify(input).slice(0, 200)}`;
          const answer = await invoke(`${name}/${model.model}`, input);
          if (answer.status === 422) continue;
          assert.equal(answer.status, 200, `${what}: ${answer.text.slice(0, 300)}`);
          const used = parseCredits(headerOf(answer, "x-service-credits-used") ?? "") ?? assert.fail(what);
          const recorded = await recordedByRequest(it.app.database, headerOf(answer, "x-service-request-id") ?? "");
          assert.ok(recorded, what);
          const shown = await shownOn(node, (widget) => valueAt(input, `/${widget.replaceAll(".", "/")}`));
          assertAgree(shown, recorded, used, what);
          compared += 1;
        }
        assert.ok(compared >= 2, `${name}/${model.model}: ${compared} inputs were compared`);
      }
    });
  }
});

describe("sandbox models: served badges agree, on their own nodes and on the node that takes any model", () => {
  const small = { width: 128, height: 64 };
  const inputs: Readonly<Record<string, readonly object[]>> = {
    "image-1": [{ prompt: "x", ...small }],
    "image-1-queued": [
      { prompt: "x", ...small },
      { prompt: "x", width: 256, height: 256 },
      { prompt: "x", width: 64, height: 320 },
    ],
    "video-1": [
      { prompt: "x", seconds: 1, ...small },
      { prompt: "x", seconds: 2, ...small },
      { prompt: "x", ...small },
    ],
    "voice-1": [{ prompt: "x" }, { prompt: "a longer text" }],
    "text-1": [{ prompt: "x" }],
    "open-1": [{ prompt: "x" }],
  };
  for (const { id, name, nodes, price } of sandboxModels) {
    test(id, async () => {
      const isFree = price.usd === "0";
      for (const input of inputs[name] ?? assert.fail()) {
        const sent = name === "open-1" ? input : { ...input, simulate_seconds: 0.05 };
        let used = 0n;
        const paid = await paidOver(async () => {
          const answer = await invoke(id, sent);
          assert.equal(answer.status, 200, answer.text.slice(0, 300));
          used = parseCredits(headerOf(answer, "x-service-credits-used") ?? "") ?? assert.fail();
          const recorded = isFree
            ? null
            : await recordedByRequest(it.app.database, headerOf(answer, "x-service-request-id") ?? "");
          for (const node of nodes.filter(({ until_version }) => until_version === undefined)) {
            const shown = await shownOn(node.name, (widget) => Reflect.get(input, widget));
            if (recorded) assertAgree(shown, recorded, used, `${node.name} ${JSON.stringify(input)}`);
            else assert.deepEqual(shown, { kind: "span", least: 0n, most: 0n }, node.name);
          }
          // Members without a widget on the node count as their defaults there.
          const asNode = { model: id, parameters: '{"response_format": "b64_json"}', ...input };
          const shown = await shownOn("AtelierModelImage", (widget) => Reflect.get(asNode, widget));
          if (recorded && !("seconds" in input)) assertAgree(shown, recorded, used, `AtelierModelImage ${id}`);
        });
        assert.equal(paid, used, `${id}: the wallet's difference is the header`);
      }
    });
  }

  test("a badge falls back to text when its price reads a member of the node's parameters, or the model is unknown", async () => {
    const badge = badges.get("AtelierModelImage") ?? assert.fail();
    const show = (widgets: object) => jsonata(badge.expr).evaluate({ widgets, inputs: {}, inputGroups: {} });
    const plain = { model: "sandbox/image-1-queued", width: 64, height: 64, parameters: "" };
    assert.equal(textOf(await show(plain), "type"), "range_usd");
    for (const parameters of ['{"width": 2000}', '{"\\u0077idth": 2000}'])
      assert.equal(textOf(await show({ ...plain, parameters }), "type"), "text", parameters);
    assert.equal(textOf(await show({ ...plain, model: "nobody/knows" }), "type"), "text");
    assert.equal(textOf(await show({ ...plain, model: null }), "type"), "text");
  });
});

describe("partner operations: served badge, hold, charge, journal and wallet agree", () => {
  const skin = (mode: string) => ({
    path: `/proxy/partner-a/v1/ai/skin-enhancer/${mode}`,
    read: "/proxy/partner-a/v1/ai/skin-enhancer",
    bodies: [{ image: pixel }, { image: pixel, sharpen: 40 }],
    nodes: ["PartnerASkinEnhancerNode"],
    widgets: { mode },
  });
  const frames = (count: number | undefined) => ({
    prompt_text: "a boat",
    ...(count === undefined ? {} : { inference_params: { num_frames: count } }),
  });
  const video = (name: string, node: string) => ({
    path: `/proxy/partner-b/prompts/${name}`,
    read: "/proxy/partner-b/prompts",
    bodies: [16, 1, 128, undefined].map((count) => ({
      ...frames(count),
      ...(name === "image-to-video" ? { image_url: "https://pictures.example/1.png" } : {}),
    })),
    nodes: [node],
    widgets: {},
  });
  const operations = [
    {
      path: "/proxy/partner-a/v1/ai/image-relight",
      read: "/proxy/partner-a/v1/ai/image-relight",
      bodies: [{ image: pixel }, { image: pixel, light_transfer_strength: 10, style: "clean" }],
      nodes: ["PartnerARelightNode"],
      widgets: {},
    },
    { ...skin("flexible"), nodes: ["PartnerASkinEnhancerNode", "PartnerASkinEnhancerFlexibleNode"] },
    { ...skin("creative"), nodes: ["PartnerASkinEnhancerNode", "PartnerASkinEnhancerCreativeNode"] },
    { ...skin("faithful"), nodes: ["PartnerASkinEnhancerNode", "PartnerASkinEnhancerFaithfulNode"] },
    video("text-to-video", "PartnerBTextToVideoNode"),
    video("image-to-video", "PartnerBImageToVideoNode"),
  ];
  for (const { path, read, bodies, nodes, widgets } of operations) {
    test(path, async () => {
      const isA = path.includes("partner-a");
      for (const body of bodies) {
        const ended: RecordedInvocation[] = [];
        const paid = await paidOver(async () => {
          const started = await it.post(path, body);
          assert.ok(started.status === 200 || started.status === 201, started.text);
          const status = isA ? "COMPLETED" : "completed";
          it.partner.state(it.partnerTaskOf(started), status, {
            generated: ["https://pictures.example/1.png"],
            output_url: "https://films.example/1.webp",
          });
          await it.untilStatus(`${read}/${taskIdOf(started)}`, status);
          ended.push((await recordedByCall(it.app.database, taskIdOf(started))) ?? assert.fail());
        });
        const [recorded = assert.fail()] = ended;
        const values = { ...widgets, ...record(Reflect.get(body, "inference_params")) };
        for (const node of nodes) {
          const shown = await shownOn(node, (widget) => Reflect.get(values, widget));
          assert.ok(shown.kind === "span");
          assert.equal(shown.least, shown.most, `${node} shows one price`);
          assertAgree(shown, recorded, paid, `${node} ${JSON.stringify(values)}`);
        }
      }
    });
  }
});

test("nothing that has a price is left out", async () => {
  const models = [...shipped.values()].flatMap(({ definition }) =>
    definition.models.map(({ model }) => `${definition.provider}/${model}`),
  );
  const listed = new Set<string>();
  for (let cursor = ""; ; ) {
    const page = requireValid(CatalogPage, (await it.read(`/v1/models?limit=100${cursor}`)).json());
    for (const { id } of page.data) listed.add(id);
    if (page.next_cursor === undefined) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  assert.deepEqual([...listed].sort(), [...models, ...sandboxModels.map(({ id }) => id)].sort());
});

test("when an operator changes a price, the badge moves before the request is answered, and the charge with it", async () => {
  const voice = (usd: string): ProviderDefinition => ({
    ...sandbox.definition,
    models: sandbox.definition.models.map((model) =>
      model.model === "voice-1" ? { ...model, price: { usd } } : model,
    ),
  });
  const path = "/admin/providers/sandbox";
  const admin = (method: string, body?: unknown) =>
    it.app.call({ method, path, headers: bearer(it.app.adminToken), ...(body === undefined ? {} : { body }) });
  for (const [usd, micro] of [
    ["0.02", 4_220_000n],
    ["0.5", 105_500_000n],
  ] as const) {
    const put = await admin("PUT", voice(usd));
    assert.ok(put.status === 200 || put.status === 201, put.text);
    badges = await servedBadges();
    const shown = await shownOn("SandboxSpeechNode", () => undefined);
    assert.deepEqual(shown, { kind: "span", least: micro, most: micro });
    const paid = await paidOver(async () =>
      assert.equal((await invoke("sandbox/voice-1", { prompt: "x" })).status, 200),
    );
    assert.equal(paid, micro);
  }
  assert.equal((await admin("DELETE")).status, 204);
  badges = await servedBadges();
  assert.deepEqual(await shownOn("SandboxSpeechNode", () => undefined), {
    kind: "span",
    least: 2_110_000n,
    most: 2_110_000n,
  });
});
