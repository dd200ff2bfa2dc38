import assert from "node:assert/strict";
import { test } from "node:test";
import { inputFields, typeText } from "./model-schema.ts";
import { modelTypes } from "./model-types.ts";

const document = {
  paths: {
    "/v1/models/acme/relight": {
      post: {
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Input" } } } },
        responses: { "200": { content: { "application/json": { schema: { type: "object" } } } } },
      },
    },
  },
  components: {
    schemas: {
      Input: {
        type: "object",
        required: ["image"],
        properties: {
          image: { type: "string", description: "A picture */ of you." },
          seed: { type: ["integer", "null"] },
          mode: { enum: ["soft", "hard"] },
          points: { type: "array", items: { type: "object", properties: { x: { type: "number" } } } },
          self: { $ref: "#/components/schemas/Input" },
        },
      },
    },
  },
};

test("fields come with their types, through references", () => {
  const fields = inputFields(document);
  assert.deepEqual(
    fields.map(({ name, isRequired, schema }) => [name, isRequired, typeText(schema)]),
    [
      ["image", true, "string"],
      ["seed", false, "integer | null"],
      ["mode", false, "soft | hard"],
      ["points", false, "array"],
      ["self", false, "object"],
    ],
  );
  assert.deepEqual(inputFields({}), []);
});

test("a declaration names every model with its input; a schema that holds itself ends", () => {
  const text = modelTypes([{ id: "acme/relight", document }]);
  assert.match(text, /declare module "@atelier\/sdk" \{\n {2}interface ModelMap \{\n {4}"acme\/relight": \{/);
  assert.match(text, /"image": string;/);
  assert.match(text, /"seed"\?: number \| bigint \| null;/);
  assert.match(text, /"mode"\?: "soft" \| "hard";/);
  assert.match(text, /"self"\?: unknown;/);
  assert.ok(!text.includes("picture */ of"), "no description ends its comment");
  assert.equal(text.split("{").length, text.split("}").length);
});
