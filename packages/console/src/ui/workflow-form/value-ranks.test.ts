// Which values people see first.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Graph, nodesOf, valuesOf } from "../../api/graphs.ts";
import { kindOf } from "./field-kinds.ts";
import { rankNodes } from "./value-ranks.ts";

function ranked(graph: Graph) {
  const nodes = nodesOf(graph).map(([id, node]) => ({ id, inputs: valuesOf(id, node).map(({ input }) => input) }));
  return rankNodes(graph, nodes, (id, input) => kindOf(undefined, graph[id]?.inputs[input])).map(
    ({ id, main, rest }) => [id, main.map(({ input }) => input), rest.map(({ input }) => input)] as const,
  );
}

const mask = { class_type: "SolidMask", inputs: { value: 1, width: 640, height: 640 } };

describe("the values of a graph", () => {
  test("come as people change them: prompt, seed, sizes and knobs, and the rest folded", () => {
    const model = {
      class_type: "AtelierModelImage",
      inputs: { model: "sandbox/image-1", height: 64, parameters: "{}", seed: 7, prompt: "a lighthouse", width: 64 },
    };
    const save = { class_type: "SaveImage", inputs: { filename_prefix: "a" } };
    assert.deepEqual(ranked({ "1": mask, "2": save, "3": model }), [
      ["3", ["prompt", "seed", "height", "width", "model"], ["parameters"]],
      ["1", [], ["value", "width", "height"]],
      ["2", [], ["filename_prefix"]],
    ]);
  });

  test("keep the sizes of a latent beside a prompt, and every size where nothing has a prompt", () => {
    const latent = { class_type: "EmptyLatentImage", inputs: { width: 512, height: 512, batch_size: 1 } };
    const text = { class_type: "CLIPTextEncode", inputs: { text: "a cat", clip: ["4", 1] } };
    assert.deepEqual(ranked({ "1": mask, "2": latent, "3": text }).slice(0, 2), [
      ["3", ["text"], []],
      ["2", ["width", "height", "batch_size"], []],
    ]);
    assert.deepEqual(ranked({ "1": mask }), [["1", ["width", "height"], ["value"]]]);
  });

  test("that hold settings as a long text are not taken for a prompt", () => {
    const long = "x".repeat(90);
    assert.deepEqual(ranked({ "1": { class_type: "A", inputs: { json_options: long, story: long } } }), [
      ["1", ["story"], ["json_options"]],
    ]);
  });
});
