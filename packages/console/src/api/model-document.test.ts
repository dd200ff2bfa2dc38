import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { documentOf, modelKinds } from "./model-document.ts";

const documentWith = (output: object, more: { readonly type?: string; readonly about?: string } = {}) => ({
  info: { title: "A model", description: more.about ?? "First line.\nSecond line." },
  paths: {
    "/v1/models/a/b": {
      post: {
        requestBody: { content: { "application/json": { schema: { type: "object", properties: { prompt: {} } } } } },
        responses: { 200: { content: { [more.type ?? "application/json"]: { schema: output } } } },
      },
    },
  },
  components: { schemas: { Size: { type: "integer" } } },
});
const kindOf = (output: object, more = {}) => documentOf("a/b", documentWith(output, more)).kind;
const made = (...names: readonly string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) });

describe("a model's document", () => {
  test("gives its title, its first line, and schemas that find their components", () => {
    const read = documentOf("a/b", documentWith({ type: "object" }));
    assert.deepEqual([read.title, read.summary], ["A model", "First line."]);
    assert.deepEqual(read.input["components"], { schemas: { Size: { type: "integer" } } });
    assert.deepEqual(read.output?.["type"], "object");
  });

  test("of a model that answers bytes has no output schema", () => {
    const read = documentOf("a/b", documentWith({}, { type: "audio/mpeg" }));
    assert.deepEqual([read.output, read.outputType, read.kind], [null, "audio/mpeg", "audio"]);
  });

  test("says what the model makes: by the type, then by the members, then by the words", () => {
    assert.equal(kindOf(made("images"), { type: "video/mp4" }), "video");
    assert.equal(kindOf(made("images", "video")), "video");
    assert.equal(kindOf({ properties: { data: { items: made("b64_json") } } }), "image");
    assert.equal(kindOf({ anyOf: [made("error"), made("audio_url")] }), "audio");
    assert.equal(kindOf(made("choices"), { about: "Writes." }), "text");
    assert.equal(kindOf(made("id"), { about: "Makes a short film from a picture." }), "video");
    assert.equal(kindOf(made("id"), { about: "Reads numbers." }), "other");
  });

  test("that is invalid reads as an empty one, and nothing throws", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true }), (any) => {
        const read = documentOf("a/b", any);
        assert.ok(modelKinds.includes(read.kind));
        assert.equal(typeof read.title, "string");
      }),
    );
    assert.equal(documentOf("a/b", null).title, "a/b");
  });
});
