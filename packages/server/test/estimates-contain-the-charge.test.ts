// Decisions, section 10: an estimate comes from the same price record as badge, hold and charge. Tested for every shipped
// model and every one of the sandbox, with 1,000 inputs of its own schema each, whatever its provider reports: the
// estimate contains the charge, and the hold is its upper end. The same calls on the ledger: estimates-on-the-ledger.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sandboxModels } from "@atelier/sandbox";
import fc from "fast-check";
import { shippedModelIds } from "../src/capabilities/model-calls/catalog/shipped-providers.ts";
import { checkInput, decideEnding } from "../src/capabilities/model-calls/index.ts";
import { holdBound, lowestCharge } from "../src/capabilities/prices/index.ts";
import { Draw, drawInput, drawReport, factNames } from "./support/model-inputs.ts";
import { pricedModels } from "./support/priced-models.ts";

const inputsEach = 1_000;
const models = await pricedModels();

test("every sandbox model and every shipped one is here", async () => {
  const ids = [...sandboxModels.map(({ id }) => id), ...(await shippedModelIds())];
  assert.ok(ids.length >= 40);
  for (const id of ids)
    assert.ok(
      models.some((model) => model.id === id),
      id,
    );
});

const answer = { status: 200, contentType: "application/json", body: Buffer.from("{}") };
const refused = { kind: "refused", message: null, upstreamStatus: 200 } as const;

describe(`for ${inputsEach} inputs of each model, and every report`, () => {
  for (const model of models) {
    test(model.id, () => {
      const { price, definition } = model;
      const charging = { ...definition, charges_on_policy_rejection: "yes" } as const;
      let [looked, moved] = [0, 0];
      const once = (seed: number) => {
        const draw = new Draw(seed);
        const verdict = checkInput(model, Buffer.from(JSON.stringify(drawInput(definition, draw))));
        // An input that the schema refuses has no price.
        if (!verdict.ok) return;
        looked += 1;
        const { document: input } = verdict;
        const [lowest, highest] = [lowestCharge(price, input), holdBound(price, input)];
        assert.ok(lowest >= 0n && lowest <= highest, `${lowest} ≤ ${highest}`);
        const charges = [{}, ...[1, 2, 3].map(() => drawReport(definition.price, draw))].map(
          (reported) => decideEnding({ kind: "completed", answer, reported }, { model, input }).charge,
        );
        charges.push(decideEnding(refused, { model: { definition: charging, price }, input }).charge);
        for (const charge of charges)
          assert.ok(lowest <= charge && charge <= highest, `${lowest} ≤ ${charge} ≤ ${highest}`);
        if (charges.some((charge) => charge !== charges[0])) moved += 1;
      };
      fc.assert(fc.property(fc.integer(), once), { numRuns: inputsEach });
      assert.ok(looked >= inputsEach * 0.9, `${looked} inputs were looked at: the others were refused`);
      const isReported = factNames(definition.price).length > 0;
      assert.equal(moved > 0, isReported, "reports must matter where the price reads them, and nowhere else");
    });
  }
});
