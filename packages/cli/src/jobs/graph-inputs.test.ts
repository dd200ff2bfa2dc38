import assert from "node:assert/strict";
import { test } from "node:test";
import { writeJson } from "@atelier/sdk";
import { ClientProblem } from "../server/client-problem.ts";
import { type ApiGraph, findNode, inputValue, newInput, parseInput } from "./graph-inputs.ts";

test("-i names a node, one of its inputs and a text, a file, or a text that begins with @", () => {
  assert.deepEqual(parseInput("6.text=a = b"), { nodeId: "6", input: "text", value: { kind: "text", text: "a = b" } });
  assert.deepEqual(parseInput("10.image=@in/photo.png").value, { kind: "file", path: "in/photo.png" });
  assert.deepEqual(parseInput("6.text=@@home").value, { kind: "text", text: "@home" });
  for (const wrong of ["6.text", "text=1", "", ".x=1"]) assert.throws(() => parseInput(wrong), ClientProblem);
});

test("a value stays a text where the graph has a text, and is parsed elsewhere", () => {
  assert.equal(inputValue("5", "four"), "5");
  assert.equal(inputValue("5", 4), 5);
  assert.equal(inputValue("true", undefined), true);
  assert.equal(inputValue("a red fox", undefined), "a red fox");
});

test("integers beyond 2^53 are sent with the digits as written", () => {
  assert.equal(writeJson({ seed: inputValue("9007199254740993", 1) }), '{"seed":9007199254740993}');
});

test("a node is found by its id, else by a title that only one node has", () => {
  const graph: ApiGraph = {
    "1": { class_type: "A", inputs: { x: 1 }, _meta: { title: "Sky" } },
    "2": { class_type: "B", _meta: { title: "Twin" } },
    "3": { class_type: "B", _meta: { title: "Twin" } },
  };
  assert.equal(findNode(graph, "1")["x"], 1);
  assert.equal(findNode(graph, "Sky")["x"], 1);
  findNode(graph, "2")["y"] = 2;
  assert.deepEqual(graph["2"]?.inputs, { y: 2 });
  assert.throws(
    () => findNode(graph, "Twin"),
    (error) => error instanceof ClientProblem && error.facts.lines?.length === 3,
  );
});

test("an input that the graph does not have is reported, with the likely one or the whole list", () => {
  const inputs = { prompt: "a fox", seed: 1 };
  assert.equal(newInput("6", inputs, "seed"), null);
  assert.match(newInput("6", inputs, "promt") ?? "", /^Node 6 has no input "promt" .* Did you mean "prompt"\?$/);
  assert.match(newInput("Sky", inputs, "mask_strength") ?? "", /It has prompt, seed\.$/);
  assert.match(newInput("6", {}, "x") ?? "", /adding it\.$/);
});
