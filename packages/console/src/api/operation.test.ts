import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allOperations, includesRole, installationRoles, leastRole, workspaceRoles } from "@atelier/contract";
import fc from "fast-check";
import { call } from "./client.ts";
import { mayCall, whyNot } from "./may.ts";
import { addressOf, leastRoleOf, methodOf, type QueryOf, withQuery } from "./operation.ts";
import { operations } from "./operations.ts";

const base = "http://127.0.0.1";

test("the console knows every operation but the workers', with the contract's method, path and least role", () => {
  const own = allOperations.filter(({ access }) => access !== "worker");
  assert.ok(own.length > 200, "the contract was found");
  const named: Record<string, string> = { ...operations };
  for (const operation of own) {
    const name = named[operation.id] ?? assert.fail(operation.id);
    assert.equal(name.split(" ").slice(0, 2).join(" "), `${operation.method} ${operation.path}`);
    const least = leastRole(operation);
    if (least === null) continue;
    assert.equal(leastRoleOf(name), least, operation.id);
    for (const held of workspaceRoles) {
      const holder = { role: held, is_operator: false };
      assert.equal(mayCall(holder, name), includesRole(held, least), `${held} ${operation.id}`);
      assert.equal(whyNot(holder, name) === null, includesRole(held, least));
    }
    for (const held of installationRoles)
      assert.equal(
        mayCall({ role: "viewer", installation_role: held }, name),
        includesRole(held, least) || includesRole("viewer", least),
        `${held} ${operation.id}`,
      );
  }
  assert.equal(Object.keys(named).length, own.length);
});

describe("an operation's address", () => {
  test("is its path with the parameters in place, encoded once", () => {
    assert.equal(addressOf(operations.getJob, { params: { id: "a b/ö%2F" } }), "/api/v2/jobs/a%20b%2F%C3%B6%252F");
    assert.equal(
      addressOf(operations.setWorkspaceLimit, { params: { workspaceId: "w", name: "a?b#c" } }),
      "/admin/workspaces/w/limits/a%3Fb%23c",
    );
    assert.equal(addressOf(operations.listMyPublishers), "/users/publishers/");
  });

  test("keeps any parameter in one segment, and nothing else changes", () => {
    const unit = fc.constantFrom(...'ab./\\?#%&=+;:@~"<>| \n', "%2F", "ö", "漢", "💡");
    const segment = fc.string({ unit, minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text));
    fc.assert(
      fc.property(segment, segment, (nodeId, version) => {
        const { pathname, search, hash } = new URL(
          addressOf(operations.getNodeVersion, { params: { nodeId, version } }),
          base,
        );
        assert.deepEqual(pathname.split("/").map(decodeURIComponent), ["", "nodes", nodeId, "versions", version]);
        assert.equal(search + hash, "");
      }),
    );
  });

  test("is refused for a parameter that would name another path", () => {
    for (const keyId of ["", ".", ".."])
      assert.throws(() => addressOf(operations.revokeKey, { params: { keyId } }), /cannot be part of an address/);
    assert.equal(addressOf(operations.revokeKey, { params: { keyId: "..." } }), "/account/keys/...");
  });

  test("leaves absent and empty query values out, and repeats a list", () => {
    const query = {
      limit: 5,
      cursor: undefined,
      idempotency_key: "",
      status: ["queued", "running"],
      metadata: null,
    } as const;
    assert.equal(addressOf(operations.listJobs, { query }), "/api/v2/jobs?limit=5&status=queued&status=running");
    assert.equal(addressOf(operations.listJobs, { query: { status: [] } }), "/api/v2/jobs");
  });

  test("spells a member of a map as name[key]", () => {
    const address = addressOf(operations.listJobs, { query: { "metadata[a b]": "c&d" } });
    assert.deepEqual([...new URL(address, base).searchParams], [["metadata[a b]", "c&d"]]);
  });

  test("carries any query so that a server reads the same values", () => {
    const value = fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean());
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(value, fc.array(value))), (query) => {
        const read = [...new URL(withQuery("/x", query), base).searchParams];
        const given = Object.entries(query).flatMap(([name, each]) => [each].flat().map((one) => [name, String(one)]));
        assert.deepEqual(read, given);
      }),
    );
  });

  test("has no method, which is read separately", () => {
    assert.equal(methodOf(operations.cancelJob), "POST");
    assert.equal(methodOf(operations.deleteAsset), "DELETE");
  });
});

// Never run: the compiler is the test.
export function refusedByTheCompiler(): void {
  // @ts-expect-error: the type must refuse this
  void call("/account/keys");
  // @ts-expect-error: the type must refuse this
  void call(operations.listEverything);
  // @ts-expect-error: the type must refuse this
  void call(operations.getJob);
  // @ts-expect-error: the type must refuse this
  void call(operations.getJob, { params: { jobId: "a" } });
  // @ts-expect-error: the type must refuse this
  void call(operations.getModel, { params: { provider: "a" } });
  // @ts-expect-error: the type must refuse this
  void call(operations.listJobs, { query: { limitt: 5 } });
  // @ts-expect-error: the type must refuse this
  void call(operations.listJobs, { query: { status: ["going"] } });
  // @ts-expect-error: the type must refuse this
  void call(operations.validatePublisherId, { query: {} });
  // @ts-expect-error: the type must refuse this
  void call(operations.listKeys, { json: {} });
  // @ts-expect-error: the type must refuse this
  void call(operations.createKey);
  // @ts-expect-error: the type must refuse this
  void call(operations.createKey, { json: { name: 5 } });
  // @ts-expect-error: the type must refuse this
  void call(operations.setModelRelease, { params: { provider: "a", model: "b" }, json: { release: true } });
  // @ts-expect-error: the type must refuse this
  void call(operations.getCredits).then(({ balance }) => balance);
  // @ts-expect-error: the type must refuse this
  void addressOf(operations.getJob);
  // @ts-expect-error: the type must refuse this
  const wrong: QueryOf<typeof operations.listJobs> = { limit: "5" };
  void wrong;
}

export async function acceptedByTheCompiler(): Promise<readonly (string | undefined)[]> {
  const { data } = await call(operations.listDeployments, { query: { limit: 5, cursor: undefined } });
  const { available } = await call(operations.getWorkspaceCredits, { params: { workspaceId: "w" } });
  const nothing: undefined = await call(operations.deleteAsset, { params: { id: "a" } });
  return [data[0]?.environment.engine, available, nothing];
}
