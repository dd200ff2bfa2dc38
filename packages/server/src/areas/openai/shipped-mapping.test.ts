// The shipped mapping is checked like definitions: every model in it ships, takes what a plain request becomes, and its documented
// answers become theirs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { sandboxModels } from "@atelier/sandbox";
import { checkInput, shippedDefinition, shippedFolder, shippedNames } from "../../capabilities/model-calls/index.ts";
import {
  buildSchemaDocument,
  compileInput,
  type ModelDefinition,
  sandboxDefinition,
} from "../../capabilities/providers/index.ts";
import { type Endpoint, type Mapping, readMappings } from "./mapping.ts";
import { completionOf, imagesAnswer, textAt } from "./translate-answer.ts";
import { translateInput } from "./translate-input.ts";

interface Known {
  readonly definition: ModelDefinition;
  // The body of the first documented success.
  readonly answer: unknown;
}

const known = new Map<string, Known>();
let mappings: readonly Mapping[] = [];

before(async () => {
  const read = readMappings(JSON.parse(await readFile(join(shippedFolder, "entrances/openai.json"), "utf8")));
  assert.ok(read.ok, JSON.stringify(read));
  mappings = read.mappings;
  for (const definition of sandboxDefinition("http://127.0.0.1:1", sandboxModels, { kind: "none" }).models)
    known.set(`sandbox/${definition.model}`, { definition, answer: null });
  for (const name of await shippedNames()) {
    const definition = await shippedDefinition(name);
    const { models } = JSON.parse(await readFile(join(shippedFolder, `${name}.fixtures.json`), "utf8"));
    for (const model of definition?.models ?? []) {
      const good = models[model.model].cases.find(({ means }: { readonly means: string }) => means === "completed");
      known.set(`${name}/${model.model}`, { definition: model, answer: good.answers.at(-1).body });
    }
  }
});

const picture = "data:image/png;base64,iVBORw0KGgo=";
const requests: Readonly<Record<Endpoint, Readonly<Record<string, unknown>>>> = {
  "images/generations": { prompt: "a lighthouse", size: "1024x1024", n: 1 },
  "images/edits": { prompt: "a lighthouse", size: "1024x1024", image: picture },
  "images/variations": { image: picture },
  "chat/completions": {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Three names." }] },
    ],
  },
  "audio/speech": { input: "good evening", voice: "alloy" },
};

function* mapped(): Generator<{ mapping: Mapping; id: string; model: Known }> {
  for (const mapping of mappings) {
    for (const name of mapping.models.filter((each) => !each.startsWith("w."))) {
      const ids = name.endsWith("*") ? [...known.keys()].filter((id) => id.startsWith(name.slice(0, -1))) : [name];
      assert.ok(ids.length > 0, name);
      for (const id of ids) {
        const model = known.get(`${id}${mapping.runs ?? ""}`);
        assert.ok(model, `${id}${mapping.runs ?? ""} does not ship`);
        yield { mapping, id, model };
      }
    }
  }
}

describe("the shipped mapping", () => {
  test("a plain request becomes an input that the model's schema accepts, also as a stream", () => {
    for (const { mapping, id, model } of mapped()) {
      const { definition } = model;
      const schema = definition.input_schema && compileInput(buildSchemaDocument(id, definition), id);
      for (const stream of definition.stream && mapping.endpoint === "chat/completions" ? [false, true] : [false]) {
        const request = { ...requests[mapping.endpoint], ...(stream ? { stream } : {}) };
        const { input } = translateInput(mapping, definition.input_schema, request);
        const verdict = checkInput({ schema, definition }, Buffer.from(JSON.stringify(input)));
        assert.ok(verdict.ok, `${mapping.endpoint} ${id}: ${verdict.ok ? "" : JSON.stringify(verdict.fault.details)}`);
        if (stream) assert.equal(input["stream"], true, id);
      }
    }
  });

  test("a documented answer becomes pictures or a text", () => {
    for (const { mapping, id, model } of mapped()) {
      const { answer } = mapping;
      if (model.answer === null || answer.kind === "audio") continue;
      if (answer.kind === "pictures") {
        assert.ok(imagesAnswer(model.answer, answer.at, 1).data.length > 0, id);
      } else if (answer.kind === "text") {
        const completion = completionOf({ id: "x", created: 1, model: id }, answer, model.answer);
        assert.notEqual(completion.choices[0]?.message.content, "", id);
        assert.ok(completion.usage.total_tokens > 0, id);
      } else if (mapping.endpoint === "chat/completions")
        assert.notEqual(textAt(model.answer, "/choices/*/message/content"), "", id);
      else assert.ok(imagesAnswer(model.answer, "/data", 1).data.length > 0, id);
    }
  });
});

describe("a request is translated", () => {
  test("members that no step takes are dropped and named; null is absent; sizes, words and uploads become the model's", () => {
    const mapping: Pick<Mapping, "input"> = {
      input: [
        { from: "size", to: ["/width", "/height"], as: "size" },
        { from: "quality", to: "/level", values: { high: 3 }, otherwise: 1 },
        { from: "image", to: "/images", as: "files", within: "url" },
        { from: "voice", to: "/inputs/0/voice", otherwise: "x" },
      ],
    };
    const request = { model: "m", size: "640x480", quality: "odd", image: "data:a", n: 2, user: null, style: "s" };
    assert.deepEqual(translateInput(mapping, null, request), {
      input: { width: 640, height: 480, level: 1, images: [{ url: "data:a" }], inputs: [{ voice: "x" }] },
      dropped: ["quality", "n", "style"],
    });
    assert.deepEqual(translateInput(mapping, null, { size: "auto" }).dropped, ["size"]);
  });

  test("with own members only those pass that the schema knows", () => {
    const schema = { properties: { prompt: {}, n: {} } };
    const request = { model: "m", prompt: "p", n: 2, style: "vivid", constructor: "x" };
    assert.deepEqual(translateInput({ own: true, input: [] }, schema, request), {
      input: { prompt: "p", n: 2 },
      dropped: ["style", "constructor"],
    });
  });
});

test("a mapping that cannot work is refused with its place", () => {
  const base = { endpoint: "audio/speech", models: ["a/b"], input: [], answer: { kind: "audio" } };
  const problemsOf = (more: object) => {
    const read = readMappings({ mappings: [{ ...base, ...more }] });
    return read.ok ? [] : read.problems;
  };
  assert.deepEqual(problemsOf({}), []);
  assert.deepEqual(problemsOf({ answer: { kind: "own" } }), ["/mappings/0/answer does not fit audio/speech"]);
  assert.deepEqual(problemsOf({ input: [{ to: "/a" }] }), ["/mappings/0/input/0 needs either from or value"]);
  assert.deepEqual(problemsOf({ input: [{ from: "size", to: "/a", as: "size" }] }), [
    "/mappings/0/input/0/to must be two places with size, and one without",
  ]);
  assert.match(problemsOf({ endpoint: "embeddings" })[0] ?? "", /^\/mappings\/0\/endpoint /);
});
