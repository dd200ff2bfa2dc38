import assert from "node:assert/strict";
import { test } from "node:test";
import type { Area } from "./area.ts";
import { genericEnvelope } from "./generic-envelope.ts";
import { isBelow, routeTable } from "./route-table.ts";

const operation = (method: "GET" | "POST", path: `/${string}`) => ({
  operation: { id: path, method, path, tag: "t", summary: "s", access: "public" as const, answers: {} },
  handle: () => ({ status: 200 }),
});
const make = (name: string, prefixes: string[], routes: ReturnType<typeof operation>[]): Area => ({
  name,
  prefixes,
  routes,
  authenticate: null,
  envelope: genericEnvelope,
  cors: "listed",
});
const table = routeTable([
  make("registry", ["/nodes"], [operation("GET", "/nodes/{id}"), operation("POST", "/nodes/{id}")]),
  make("badges", ["/nodes/pricing/badges"], [operation("GET", "/nodes/pricing/badges")]),
]);

test("the methods of a path are those of every operation that has it, and HEAD wherever there is GET", () => {
  assert.deepEqual(table.methodsAt("/nodes/x"), ["GET", "HEAD", "POST"]);
  assert.deepEqual(table.methodsAt("/nodes/pricing/badges"), ["GET", "HEAD"]);
  assert.deepEqual(table.methodsAt("/nodes/"), [], "an empty segment names nothing");
  assert.deepEqual(table.methodsAt("/nodes/x/y"), []);
});

test("a path that is written out has its own methods, and not those of a parameter that it could stand for", () => {
  const beside = routeTable([
    make(
      "publishers",
      ["/publishers"],
      [
        operation("GET", "/publishers/validate"),
        operation("POST", "/publishers/{publisherId}"),
        operation("GET", "/publishers/{publisherId}/nodes"),
        operation("POST", "/publishers/{id}/nodes"),
        operation("POST", "/{anything}/validate/nodes"),
      ],
    ),
  ]);
  assert.deepEqual(beside.methodsAt("/publishers/validate"), ["GET", "HEAD"]);
  assert.deepEqual(beside.methodsAt("/publishers/acme"), ["POST"]);
  assert.deepEqual(beside.methodsAt("/publishers/validate/nodes"), ["GET", "HEAD", "POST"]);
});

test("the longest prefix decides whose envelope an unknown path gets", () => {
  assert.equal(table.areaOf("/nodes/pricing/badges/more")?.name, "badges");
  assert.equal(table.areaOf("/nodes/other")?.name, "registry");
  assert.equal(table.areaOf("/nodesx"), null);
});

test("a prefix ends at a segment, never inside one", () => {
  assert.equal(isBelow("/v1/models", "/v1"), true);
  assert.equal(isBelow("/v1", "/v1"), true);
  assert.equal(isBelow("/v10", "/v1"), false);
});

test("a mounted area has its own methods and envelope, even with an empty parameter", () => {
  const mounted = routeTable([
    make("plain", ["/api"], [operation("GET", "/api/things")]),
    { ...make("mounted", ["/api", ""], [operation("POST", "/api/things")]), mountPath: "/at/{place}" },
  ]);
  assert.deepEqual(mounted.methodsAt("/at/x/api/things"), ["POST"]);
  assert.deepEqual(mounted.methodsAt("/api/things"), ["GET", "HEAD"]);
  assert.deepEqual(mounted.methodsAt("/at//api/things"), []);
  for (const path of ["/at/x", "/at/", "/at//api", "/at/x/api/y", "/at/x%2Fy/z"])
    assert.equal(mounted.areaOf(path)?.name, "mounted", path);
  assert.equal(mounted.areaOf("/at"), null);
  assert.equal(mounted.areaOf("/api/at/x")?.name, "plain");
});
