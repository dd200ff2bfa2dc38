// For every shipped node class and generated inputs: the badge contains the estimate, and the estimate the charge.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classSet, describeDeclared, type Graph, type InputDescription, type NodeDeclaration } from "@atelier/engine";
import fc from "fast-check";
import jsonata from "jsonata";
import { trustedId } from "../../foundation/ids.ts";
import { shippedProviders } from "../model-calls/index.ts";
import { readNodes } from "../partner-nodes/index.ts";
import { charge, type Facts, type Price, priceOf, validatePrice } from "../prices/index.ts";
import { usesOfDeclared } from "./declared-badge.ts";
import { assembledCalls, linked, valuesKnown } from "./price-declared.ts";
import { priceGraph } from "./price-graph.ts";

const creditsPerUsd = 211;
const runs = process.env["ATELIER_TEST_LONG"] ? 200 : 6;
const classes = classSet(await readNodes([]));
const prices = new Map<string, Price>();
const factNames = new Map<string, string[]>();
for (const { provider, models } of await shippedProviders(() => true)) {
  for (const { model, price, usage } of models) {
    const checked = validatePrice(price);
    assert.ok(checked.ok);
    prices.set(`${provider}/${model}`, priceOf(checked.definition, creditsPerUsd));
    factNames.set(`${provider}/${model}`, Object.keys(usage ?? {}));
  }
}
const served = [...prices].map(([id, price]) => ({ id, price }));
const priceFor = (id: string) => prices.get(id) ?? null;
const price = priceGraph({ classes, priceOf: priceFor, priceFor, served: () => served }, 0n);
const badges = new Map(usesOfDeclared(classes, served).map(({ node, badge }) => [node.name, badge ?? assert.fail()]));

function anyValue(input: InputDescription): fc.Arbitrary<unknown> {
  switch (input.type) {
    case "INT":
      return fc.integer({ min: Math.max(Number(input.min), -1e9), max: Math.min(Number(input.max), 1e9) });
    case "FLOAT":
      return fc.double({ min: Number(input.min), max: Number(input.max), noNaN: true, noDefaultInfinity: true });
    case "BOOLEAN":
      return fc.boolean();
    case "STRING":
      return fc.string({ maxLength: 20 });
    case "COMBO":
      return fc.constantFrom(...(input.options ?? []));
    default:
      return fc.constantFrom(["9", 0], undefined);
  }
}

// A node with a value for each of its inputs, and some of the values over a link that only the run follows.
function anyNode(declared: NodeDeclaration) {
  const { inputs } = describeDeclared(declared);
  const names = [...new Set(inputs.map(({ name }) => name))];
  return fc.record(
    Object.fromEntries(
      names.map((name) => [name, fc.oneof(...inputs.filter((each) => each.name === name).map(anyValue))]),
    ),
  );
}

const workspaceId = trustedId<"workspace">("w");

for (const declared of classes.declarations.filter(({ calls }) => calls.length > 0)) {
  test(`${declared.name}: badge ∋ estimate ∋ charge`, async () => {
    const badge = badges.get(declared.name) ?? assert.fail();
    const expression = jsonata(badge.expr);
    await fc.assert(
      fc.asyncProperty(anyNode(declared), fc.nat(200_000), async (inputs, report) => {
        const graph: Graph = { "1": { class_type: declared.name, inputs } };
        const [part] = await price(graph, { workspaceId, nodes: ["1"], isPaidByKey: false });
        assert.ok(part);
        const values = valuesKnown(declared, (input) => {
          const given = inputs[input.name];
          if (Array.isArray(given)) return linked;
          return given ?? ("default" in input ? input.default : undefined);
        });
        const [call] = assembledCalls(declared, values);
        if (!call) return assert.deepEqual([part.lowest, part.highest], [0n, 0n]);
        const record = prices.get(call.model) ?? assert.fail(call.model);
        for (const facts of [
          {},
          Object.fromEntries((factNames.get(call.model) ?? []).map((name) => [name, report])),
        ] satisfies Facts[]) {
          const charged = charge(record, call.input, facts);
          assert.ok(part.lowest <= charged && charged <= part.highest, `${part.lowest} ${charged} ${part.highest}`);
        }
        const widgets = Object.fromEntries(
          Object.entries(inputs).map(([name, value]) => [
            name,
            typeof value === "string" ? value.trim().toLowerCase() : (value ?? null),
          ]),
        );
        const shown: Record<string, number> = await expression.evaluate({ widgets, inputs: {}, inputGroups: {} });
        const [least = Number.NaN, most = Number.NaN] = [
          shown["min_usd"] ?? shown["usd"],
          shown["max_usd"] ?? shown["usd"],
        ];
        const credits = (amount: bigint) => Number(amount) / 1e6 / creditsPerUsd;
        assert.ok(
          least <= credits(part.lowest) + 1e-8 && credits(part.highest) <= most + 1e-8,
          JSON.stringify([shown, String(part.lowest), String(part.highest), inputs]),
        );
      }),
      { numRuns: runs },
    );
  });
}

test("a badge shows one amount where the widgets settle it, and names only widgets that it reads", () => {
  const badge = badges.get("RunwayImageToVideoNodeGen4") ?? assert.fail();
  assert.deepEqual(badge.depends_on.widgets, [{ name: "duration", type: "COMBO" }]);
  const free = badges.get("FluxKontextProImageNode") ?? assert.fail();
  assert.equal(free.expr, '{"type": "usd", "usd": 0.04}');
});
