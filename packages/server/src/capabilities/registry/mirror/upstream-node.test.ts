import assert from "node:assert/strict";
import { test } from "node:test";
import { RegistryNode } from "@atelier/contract";
import fc from "fast-check";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { upstreamNode } from "./upstream-node.ts";

test("members missing upstream get their defaults, and invalid ones are dropped", () => {
  const node = upstreamNode({
    id: "a-node",
    name: "A",
    downloads: "many",
    tags: null,
    supported_os: ["Linux"],
    extra: 1,
  });
  assert.deepEqual(
    [node?.downloads, node?.tags, node?.description, node?.status, node?.supported_os],
    [0, [], "", "NodeStatusActive", ["Linux"]],
  );
  assert.equal(node && "extra" in node, false);
});

test("people's addresses and operators' notes are not taken over", () => {
  const publisher = { id: "ada", name: "Ada", members: [{ user: { email: "ada@studio.example" } }] };
  const node = upstreamNode({ id: "a", name: "A", publisher, tags_admin: ["warned"] });
  assert.equal(node?.publisher?.id, "ada");
  assert.ok(!JSON.stringify(node).includes("studio.example") && !JSON.stringify(node).includes("warned"));
});

test("an invalid latest version is left out, never null", () => {
  for (const latest_version of [null, {}, { version: "1.0.0" }, "1.0.0"]) {
    const node = upstreamNode({ id: "a", name: "A", latest_version });
    assert.ok(node && !("latest_version" in node), JSON.stringify(latest_version));
  }
});

test("any upstream value gives a valid node or nothing", () => {
  const check = compileSchema(RegistryNode);
  const upstreamValue = fc.oneof(
    fc.anything(),
    fc.record({
      id: fc.constantFrom("a", "-", "A.b_c"),
      name: fc.string(),
      rating: fc.anything(),
      publisher: fc.anything(),
    }),
  );
  fc.assert(
    fc.property(upstreamValue, (value) => {
      const node = upstreamNode(value);
      assert.ok(node === null || (check.accepts(node) && node.name !== "" && !node.name.includes("\0")));
    }),
  );
});
