import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphProblem, GraphVerdict } from "./graphs.ts";
import { withWayToBring } from "./missing-weights.ts";

const listed = (value: string): GraphProblem => ({
  type: "value_not_in_list",
  message: "Value not in list",
  details: `ckpt_name: '${value}' not in []`,
  extra_info: { received_value: value },
});

function detailsOf(...errors: readonly GraphProblem[]): readonly string[] {
  const node = { errors, dependent_outputs: [], class_type: "CheckpointLoaderSimple" };
  const verdict: GraphVerdict = { ok: false, problem: null, nodeErrors: { 1: node }, nodes: [] };
  return withWayToBring(verdict).nodeErrors["1"]?.errors.map(({ details }) => details) ?? [];
}

test("a weight that no worker has is refused with the way to bring it", () => {
  const [weight, sampler] = detailsOf(listed("base.safetensors"), listed("euler_x"));
  assert.match(weight ?? "", /not in \[\]\. No worker has this file\. .*atelier weights push base\.safetensors/);
  assert.equal(sampler, "ckpt_name: 'euler_x' not in []");
});
