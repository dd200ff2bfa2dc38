// The registry is used through six parts with methods. Everything else that its index.ts exports stays small.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serverSources } from "../architecture/sources.ts";

test("the registry exports at most 25 names, types included", () => {
  const text = serverSources.get("capabilities/registry/index.ts") ?? "";
  const names = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((name) => name.trim() || []),
  );
  assert.ok(names.includes("createRegistry") && names.includes("type Registry"), names.join(", "));
  assert.ok(names.length <= 25, `${names.length}: ${names.join(", ")}`);
});
