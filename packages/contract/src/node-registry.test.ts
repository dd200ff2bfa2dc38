import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAccepted } from "../test/support/verdicts.ts";
import { CreateNode, NodeId, PublisherId, RegistryNode, reservedNodeIds, UpdateDescriptor } from "./node-registry.ts";
import { operations } from "./operations.ts";

test("a node id is 1 to 100 of its alphabet and begins and ends with a letter or digit", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."aZ09._-/ é"), maxLength: 102 }), (id) => {
      const fits = id.length >= 1 && id.length <= 100 && /^[A-Za-z0-9._-]+$/.test(id) && !/^[._-]|[._-]$/.test(id);
      assert.equal(isAccepted(NodeId, id), fits, id);
    }),
  );
});

test("every word that a path has in place of a node id is reserved", () => {
  const reserved: readonly string[] = reservedNodeIds;
  const taken = Object.values(operations).flatMap(({ path }) => /^\/nodes\/([^/{]+)/.exec(path)?.[1] ?? []);
  assert.ok(taken.length > 0);
  for (const word of taken) assert.ok(reserved.includes(word), word);
});

test("a publisher id is lower case and begins with a letter", () => {
  for (const good of ["a", "ada-works", "a1"]) assert.equal(isAccepted(PublisherId, good), true);
  for (const bad of ["", "1a", "-a", "Ada", "a_b", "a.b"]) assert.equal(isAccepted(PublisherId, bad), false, bad);
});

// Decisions, section 5: a create body's server-owned fields are ignored, so none of their values can be refused.
test("server-owned fields cannot be written", () => {
  const owned = [
    "downloads",
    "rating",
    "search_ranking",
    "status",
    "tags_admin",
    "created_at",
    "github_stars",
    "publisher",
    "latest_version",
    "status_detail",
    "preempted_svc_node_names",
  ];
  for (const field of owned) {
    assert.ok(Object.hasOwn(RegistryNode.properties, field), field);
    assert.equal(isAccepted(CreateNode, { id: "a", name: "A", [field]: { any: "thing" } }), true, field);
  }
});

test("a descriptor update may be empty: it merges", () => {
  assert.equal(isAccepted(UpdateDescriptor, {}), true);
});
