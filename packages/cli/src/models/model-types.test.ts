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

test("a declaration names every model with its input; a recursive schema ends", () => {
  const text = modelTypes([{ id: "acme/relight", document }]);
  assert.match(text, /declare module "@atelier\/sdk" \{\n {2}interface ModelMap \{\n {4}"acme\/relight": \{/);
  assert.match(text, /"image": string;/);
  assert.match(text, /"seed"\?: number \| bigint \| null;/);
  assert.match(text, /"mode"\?: "soft" \| "hard";/);
  assert.match(text, /"self"\?: unknown;/);
  assert.ok(!text.includes("picture */ of"), "no description ends its comment");
  assert.equal(text.split("{").length, text.split("}").length);
});

test("an output follows its 200: bounded integers are numbers, and anything but JSON is null", () => {
  const answering = (content: object) => ({ paths: { "/x": { post: { responses: { "200": { content } } } } } });
  const schema = {
    type: "object",
    required: ["seed", "width"],
    properties: {
      seed: { type: "integer" },
      width: { type: "integer", minimum: 0, maximum: 4096 },
      beyond: { type: "integer", minimum: 0, maximum: 2 ** 60 },
      note: { type: ["string", "null"] },
    },
  };
  const text = modelTypes([
    { id: "acme/picture", document: answering({ "application/json": { schema } }) },
    { id: "acme/sound", document: answering({ "audio/wav": {} }) },
    { id: "acme/unsaid", document: {} },
  ]);
  assert.match(text, /"seed": number \| bigint;\n +"width": number;\n +"beyond"\?: number \| bigint;/);
  assert.match(text, /"note"\?: string \| null;/);
  assert.match(text, /"acme\/sound": \{\n +input: unknown;\n +output: null;/);
  assert.doesNotMatch(text, /"acme\/unsaid": \{/);
});

test("a model without a description has no entry, so that a program may declare it", () => {
  const open = { type: "object", description: "Any JSON object." };
  const content = { "application/json": { schema: open } };
  const anything = { paths: { "/x": { post: { requestBody: { content }, responses: { "200": { content } } } } } };
  const text = modelTypes([
    { id: "acme/open", document: anything },
    { id: "acme/relight", document },
  ]);
  assert.match(text, /^ +\/\/ "acme\/open" has no input or output schema/m);
  assert.doesNotMatch(text, /"acme\/open": \{/);
  assert.match(text, /"acme\/relight": \{/);
});

test("a work's inputs and the files it answers with are typed; choices beyond 2^53 are bigints", () => {
  const file = {
    type: "object",
    required: ["url", "asset_id"],
    properties: { url: { type: "string" }, asset_id: { type: "string" } },
  };
  const output = {
    type: "object",
    required: ["outputs"],
    properties: {
      outputs: {
        type: "object",
        required: ["picture"],
        properties: { picture: { type: "array", items: file } },
      },
    },
  };
  const input = {
    type: "object",
    required: ["prompt"],
    additionalProperties: false,
    properties: {
      prompt: { type: "string" },
      seed: { type: "integer", minimum: 0, maximum: 18446744073709551615n },
      size: { enum: ["small", 18446744073709551615n] },
    },
  };
  const content = (schema: object) => ({ "application/json": { schema } });
  const document = {
    paths: {
      "/x": { post: { requestBody: { content: content(input) }, responses: { "200": { content: content(output) } } } },
    },
  };
  const text = modelTypes([{ id: "w.acme/lighthouse", document }]);
  assert.match(text, /"w\.acme\/lighthouse": \{\n +input: \{\n +"prompt": string;\n +"seed"\?: number \| bigint;/);
  assert.match(text, /"size"\?: "small" \| 18446744073709551615n;/);
  assert.match(text, /"outputs": \{\n +"picture": readonly \(\{\n +"url": string;\n +"asset_id": string;/);
});
