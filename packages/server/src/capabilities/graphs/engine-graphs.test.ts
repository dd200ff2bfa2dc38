import assert from "node:assert/strict";
import { test } from "node:test";
import { applicationVersions } from "@atelier/engine";
import { engineGraphs } from "./engine-graphs.ts";

const models = { priceOf: () => null, served: () => [] };
const outputsOf = (profile: "0.7" | "0.30") =>
  JSON.parse(JSON.stringify(engineGraphs(models, profile).classes().descriptions.get("SaveImage"))).output;

test("object_info and the words of a refusal follow the profile of the application", () => {
  assert.deepEqual([outputsOf("0.7"), outputsOf("0.30")], [[], ["IMAGE"]]);
  const unknown = { "1": { class_type: "NoSuchClass", inputs: {} } };
  assert.equal(engineGraphs(models, "0.7").check(unknown).problem?.type, "invalid_prompt");
  assert.equal(engineGraphs(models, "0.30").check(unknown).problem?.type, "missing_node_type");
  assert.deepEqual(applicationVersions, { "0.7": "0.7.0", "0.30": "0.30.0" });
});
