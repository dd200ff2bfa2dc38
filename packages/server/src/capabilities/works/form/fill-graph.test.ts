import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readExactJson, writeExactJson } from "../../../foundation/json/exact-json.ts";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { graphText } from "../../graphs/index.ts";
import { drawInteger, fillGraph } from "./fill-graph.ts";
import { formSchema } from "./form-schema.ts";
import { readFormText, writeForm } from "./read-form.ts";
import type { FormInput, WorkForm } from "./work-form.ts";

const outputs = [{ name: "picture", node: "9" }];
const input = (given: Partial<FormInput> = {}): FormInput => ({
  name: "seed",
  node: "1",
  input: "seed",
  kind: "integer",
  ...given,
});
const document = (value: unknown) => parseJson(Buffer.from(writeExactJson(value)));
const lowest = () => 0n;
const noFiles = new Map<string, string>();

const bigInteger = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
const hostileName = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "a/b", "a~b", "~1", "12:5", "", "hasOwnProperty", "é\u0000"),
  fc.string({ minLength: 1, maxLength: 8 }),
);

describe("integers of any size", () => {
  test("keep their digits from the form over the schema and the call to the graph's text", () => {
    fc.assert(
      fc.property(bigInteger, bigInteger, (standard, given) => {
        const form: WorkForm = { inputs: [input({ default: standard, minimum: standard, maximum: given })], outputs };
        const read = readFormText(writeForm(form));
        const schema = writeExactJson(formSchema(read));
        for (const digits of [`"default":${standard}`, `"minimum":${standard}`, `"maximum":${given}`])
          assert.ok(schema.includes(digits), digits);
        const graph = document({
          "1": { class_type: "KSampler", inputs: { seed: 2n ** 60n + 1n, steps: 2n ** 61n + 1n } },
        });
        const fill = (inputs: Record<string, unknown>) => {
          const filled = fillGraph({ graph, form: read, inputs, random: lowest, files: noFiles });
          return graphText(filled.graph, filled.exactIntegers).toString();
        };
        assert.match(fill({ seed: given }), new RegExp(`"seed":${given},"steps":${2n ** 61n + 1n}`));
        assert.match(fill({}), new RegExp(`"seed":${standard},"steps":${2n ** 61n + 1n}`));
      }),
    );
  });

  test("are left as they are in the graph where the form has no default", () => {
    const graph = document({ "1": { class_type: "KSampler", inputs: { seed: 2n ** 60n + 1n } } });
    const filled = fillGraph({ graph, form: { inputs: [input()] }, inputs: {}, random: lowest, files: noFiles });
    assert.equal(graphText(filled.graph, filled.exactIntegers).toString(), writeExactJson(graphOf(2n ** 60n + 1n)));
    assert.deepEqual(filled.inputs, { seed: 2n ** 60n + 1n });
  });
});

const graphOf = (seed: unknown) => ({ "1": { class_type: "KSampler", inputs: { seed } } });

describe("a filled graph", () => {
  const literal = fc.oneof(bigInteger, fc.string(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true }));
  const graphs = fc.dictionary(
    hostileName,
    fc.record({
      class_type: fc.string(),
      inputs: fc.dictionary(hostileName, fc.oneof(literal, fc.tuple(fc.string(), fc.nat()), fc.array(bigInteger))),
    }),
    { minKeys: 1, maxKeys: 6, noNullPrototype: true },
  );
  const targets = fc.array(fc.tuple(hostileName, hostileName, literal), { maxLength: 5 });

  test("differs from the original at the form's targets and nowhere else", () => {
    fc.assert(
      fc.property(graphs, targets, (value, wanted) => {
        const graph = document(value);
        const original = writeExactJson(exactly(graph));
        const inputs = wanted.map(([node, name], at) => input({ name: `n${at}`, node, input: name, kind: "text" }));
        const given = Object.fromEntries(wanted.map(([, , each], at) => [`n${at}`, each]));
        const filled = fillGraph({ graph, form: { inputs }, inputs: given, random: lowest, files: noFiles });
        assert.equal(writeExactJson(exactly(graph)), original, "the original is not touched");
        const expected = exactly(document(value));
        for (const [node, name, each] of wanted) {
          const found = isRecord(expected) && Object.hasOwn(expected, node) ? expected[node] : null;
          const members = isRecord(found) ? found["inputs"] : null;
          if (isRecord(members))
            Object.defineProperty(members, name, { value: each, enumerable: true, writable: true, configurable: true });
        }
        const text = graphText(filled.graph, filled.exactIntegers).toString();
        assert.deepEqual(sorted(text), sorted(writeExactJson(expected)));
      }),
    );
  });

  const exactly = (graph: ReturnType<typeof document>) =>
    readExactJson(graphText(Object(graph.value), graph.exactIntegers).toString());
  const sorted = (text: string) => {
    const { value, exactIntegers } = parseJson(Buffer.from(text));
    return { value, exactIntegers: [...exactIntegers].sort() };
  };
});

describe("random integers", () => {
  test("stay within the bounds, on the step, and within 2^53 if the bounds allow it", () => {
    fc.assert(
      fc.property(
        bigInteger,
        fc.bigInt({ min: 0n, max: 2n ** 70n }),
        fc.bigInt({ min: 1n, max: 99n }),
        fc.nat(),
        (least, span, step, seed) => {
          const drawn = drawInteger(
            input({ minimum: least, maximum: least + span, step }),
            (count) => BigInt(seed) % count,
          );
          assert.ok(drawn >= least && drawn <= least + span);
          assert.equal((BigInt(drawn) - least) % step, 0n);
          if (least <= 2n ** 53n - 1n && least >= 0n) assert.ok(Number.isSafeInteger(drawn));
        },
      ),
    );
  });

  test("are drawn if the caller gives nothing, and reported", () => {
    const form = { inputs: [input({ random: true, default: 5, minimum: 10, maximum: 12 })] };
    const fill = (inputs: Record<string, unknown>) =>
      fillGraph({ graph: document(graphOf(1)), form, inputs, random: (count) => count - 1n, files: noFiles });
    assert.deepEqual(fill({}), { graph: graphOf(12), exactIntegers: new Map(), inputs: { seed: 12 } });
    assert.deepEqual(fill({ seed: 11 }).inputs, { seed: 11 });
  });
});

test("one input sets all its places", () => {
  const graph = document({ "1": { inputs: { seed: 1 } }, "2": { inputs: { noise: 1, seed: 1 } } });
  const form = { inputs: [input({ also: [{ node: "2", input: "noise" }] })] };
  const filled = fillGraph({ graph, form, inputs: { seed: 2n ** 60n + 1n }, random: lowest, files: noFiles });
  assert.equal(
    graphText(filled.graph, filled.exactIntegers).toString(),
    '{"1":{"inputs":{"seed":1152921504606846977}},"2":{"inputs":{"noise":1152921504606846977,"seed":1}}}',
  );
});

describe("files and colours", () => {
  test("a file becomes a reference to its asset", () => {
    const form = { inputs: [input({ name: "photo", input: "image", kind: "picture" })] };
    const graph = document({ "1": { class_type: "LoadImage", inputs: { image: "example.png" } } });
    const id = "0190a5e0-0000-7000-8000-000000000001";
    const files = new Map([["photo", id]]);
    const filled = fillGraph({ graph, form, inputs: { photo: "data:image/png;base64,AA==" }, random: lowest, files });
    assert.deepEqual(filled.graph["1"], {
      class_type: "LoadImage",
      inputs: { image: { __type: "core/ASSET", info: { id } } },
    });
    assert.deepEqual(filled.inputs, { photo: id });
    const kept = fillGraph({ graph, form, inputs: {}, random: lowest, files: noFiles });
    assert.equal(kept.graph, graph.value);
    assert.deepEqual(kept.inputs, {});
  });

  test("a colour is a number where the graph has one", () => {
    const form = { inputs: [input({ name: "paint", input: "color", kind: "color" })] };
    const fill = (color: unknown) => {
      const graph = document({ "1": { class_type: "EmptyImage", inputs: { color } } });
      return fillGraph({ graph, form, inputs: { paint: "#ff8800" }, random: lowest, files: noFiles }).graph["1"];
    };
    assert.deepEqual(fill(0), { class_type: "EmptyImage", inputs: { color: 0xff8800 } });
    assert.deepEqual(fill("#000000"), { class_type: "EmptyImage", inputs: { color: "#ff8800" } });
  });
});
