// The form editor shows the form before the server has it. Its schema must be the server's own, or the preview would promise what
// callers do not get.
import assert from "node:assert/strict";
import { test } from "node:test";
import { workInputKinds } from "@atelier/contract";
import fc from "fast-check";
import { schemaOf } from "../../../console/src/ui/work-form/form-schema.ts";
import { formSchema } from "../../src/capabilities/works/form/form-schema.ts";
import type { FormInput } from "../../src/capabilities/works/form/work-form.ts";

const bound = fc.oneof(fc.integer({ min: -100, max: 100 }), fc.constantFrom(0.5, 0.1, 18446744073709551615n));
const text = fc.string({ minLength: 1, maxLength: 12 });
const input = fc.record(
  {
    name: fc.constant("x"),
    node: fc.constant("1"),
    input: fc.constant("x"),
    kind: fc.constantFrom(...workInputKinds),
    label: text,
    description: text,
    group: text,
    required: fc.boolean(),
    default: fc.oneof(text, fc.integer(), fc.boolean()),
    minimum: bound,
    maximum: bound,
    step: fc.constantFrom(1, 2, 8, 0.1, 0.25),
    choices: fc.array(fc.oneof(text, fc.integer()), { minLength: 1, maxLength: 3 }),
    multiline: fc.boolean(),
    random: fc.boolean(),
  },
  { requiredKeys: ["name", "node", "input", "kind"] },
);

test("the preview of a form has the schema that the server gives to callers", () => {
  fc.assert(
    fc.property(fc.array(input, { maxLength: 5 }), (given) => {
      const inputs = given.map((each, at) => ({ ...each, name: `input_${at}` })) as FormInput[];
      const { $schema: _dialect, properties, ...rest } = formSchema({ inputs });
      const { outputs_as: _everyWork, ...own } = properties as Record<string, unknown>;
      assert.deepEqual(schemaOf({ inputs: inputs as never }), { ...rest, properties: own });
    }),
    { numRuns: 500 },
  );
});
