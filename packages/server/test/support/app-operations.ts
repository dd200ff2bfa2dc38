// What a running app mounts and who may call it. Tests iterate over this list, so a newly mounted operation is guarded,
// documented and fuzzed without changing any test.
import assert from "node:assert/strict";
import { allOperations, type Operation } from "@atelier/contract";
import { bearer, memberOf, textOf } from "./app-client.ts";
import { ownPage, type SignedIn } from "./app-people.ts";
import type { TestApp } from "./test-app.ts";

// `npm run test:long -- dialect`
export const isDialectTested = process.env["ATELIER_TEST_DIALECT"] !== undefined;

export async function mountedIn(app: Pick<TestApp, "call">): Promise<readonly Operation[]> {
  const document = (await app.call({ path: "/openapi.json" })).json();
  const paths = memberOf(document, "paths");
  assert.ok(typeof paths === "object" && paths !== null);
  return Object.values(paths).flatMap((methods: object) =>
    Object.values(methods).flatMap((described: unknown) => {
      const id = textOf(described, "operationId");
      const operation = allOperations.find((known) => known.id === id);
      // Operations that only the dialect mounts are not in the contract.
      assert.ok(operation ?? isDialectTested, `${id} stands in the contract`);
      return operation ?? [];
    }),
  );
}

// The headers of a caller that the operation lets in.
export function callerFor(operation: Operation, app: TestApp, person: SignedIn): Record<string, string> {
  if (operation.access === "key") return bearer(app.key);
  if (operation.access === "admin") return bearer(app.adminToken);
  if (operation.access === "worker") return bearer(app.workerToken);
  return operation.access === "session" ? ownPage(app, person.cookie) : {};
}

// The path with an unknown value for each parameter.
export function anyPath(operation: Pick<Operation, "path">): string {
  return operation.path.replace(/\{\w+\}/g, "00000000-0000-7000-8000-000000000000");
}
