// The difference between two versions reads as sentences below the node they are about.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { WorkflowChange } from "@atelier/sdk";
import { groupByNode } from "./diff-groups.ts";

const change = (given: Partial<WorkflowChange> & Pick<WorkflowChange, "node_id" | "words">): WorkflowChange => ({
  kind: "input_changed",
  class_type: "KSampler",
  title: null,
  input: null,
  before: null,
  after: null,
  ...given,
});

describe("changes by node", () => {
  test("each node is there once, in the order of its first change, with all its sentences", () => {
    const groups = groupByNode([
      change({ node_id: "3", input: "steps", words: "KSampler (3): steps changed from 20 to 30." }),
      change({ node_id: "7", kind: "node_added", class_type: "SaveImage", words: "Added SaveImage (7)." }),
      change({ node_id: "3", input: "cfg", words: "KSampler (3): cfg changed from 7 to 8." }),
      change({ node_id: "9", kind: "node_removed", words: "Removed KSampler (9)." }),
    ]);
    assert.deepEqual(
      groups.map(({ nodeId, kind, sentences }) => [nodeId, kind, ...sentences]),
      [
        ["3", "changed", "steps changed from 20 to 30.", "cfg changed from 7 to 8."],
        ["7", "added", "Added SaveImage (7)."],
        ["9", "removed", "Removed KSampler (9)."],
      ],
    );
  });

  test("the heading is the node's title if it has one, and a value that looks like the heading stays", () => {
    const words = 'CLIP “Sky” (12:3): text changed from "(12:3): text a" to "b".';
    const [group] = groupByNode([change({ node_id: "12:3", title: "Sky", input: "text", words })]);
    assert.equal(group?.title, "Sky");
    assert.deepEqual(group?.sentences, ['text changed from "(12:3): text a" to "b".']);
  });
});
