// Every operation in every role, over HTTP, against what the contract declares. The list comes from the running app, so a new
// operation is compared without changing this test.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  includesRole,
  installationRoles,
  leastRole,
  type Operation,
  type RoleInWorkspace,
  workspaceRoles,
} from "@atelier/contract";
import { type AppAnswer, bearer, memberOf, textOf } from "./support/app-client.ts";
import { anyPath, mountedIn } from "./support/app-operations.ts";
import { ownPage, raiseRates, type SignedIn, signIn } from "./support/app-people.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

interface Holder extends SignedIn {
  readonly personId: string;
  readonly key: string;
}

let app: TestApp;
let mounted: readonly Operation[];
const holders = new Map<string, Holder>();

before(async () => {
  app = await testApp();
  await raiseRates(app, app.workspaceId);
  // What ends the caller comes last.
  mounted = (await mountedIn(app)).toSorted((one, other) => Number(endsCaller(one)) - Number(endsCaller(other)));
  for (const role of [...workspaceRoles, ...installationRoles]) holders.set(role, await holderOf(role));
});
after(() => app.close());

const endsCaller = ({ id }: Operation) => id.startsWith("erase") || id === "signOut";

async function holderOf(role: string): Promise<Holder> {
  const inWorkspace = workspaceRoles.some((one) => one === role) ? role : "viewer";
  const invited = await asOwner("POST", `/account/workspaces/${app.workspaceId}/members`, {
    name: `the ${role}`,
    role: inWorkspace,
  });
  const personId = textOf(invited, "id");
  const signedIn = await signIn(app, textOf(invited, "sign_in", "url").split("/sign-in/")[1] ?? "");
  const scopes = ["models", "partners", "registry", "workflows", "account"];
  const made = await asOwner("POST", "/account/keys", { name: `key of a ${role}`, role: inWorkspace, scopes });
  if (inWorkspace !== role) {
    const path = `/admin/people/${personId}/role`;
    const set = await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body: { role } });
    assert.equal(set.status, 200, set.text);
    assert.deepEqual([memberOf(set.json(), "role"), memberOf(set.json(), "is_operator")], [role, role === "operator"]);
  }
  return { ...signedIn, personId, key: textOf(made, "secret") };
}

async function asOwner(method: string, path: string, body: object): Promise<unknown> {
  const answer = await app.call({ method, path, headers: bearer(app.key), body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json();
}

function holder(role: string): Holder {
  const found = holders.get(role);
  assert.ok(found);
  return found;
}

const call = (operation: Operation, headers: Readonly<Record<string, string>>) =>
  app.call({ method: operation.method, path: anyPath(operation), headers });

// HEAD has no body to read, so the same words are read from the answer to GET elsewhere.
const refusal = /This takes the role|Only an owner of the workspace may do this|Auditors of this server read/;

function assertAgrees(answer: AppAnswer, isAllowed: boolean, what: string): void {
  if (isAllowed) {
    const isRefused = answer.status === 403 && refusal.test(answer.text);
    assert.ok(!isRefused, `${what} is refused: ${answer.text}`);
    return;
  }
  assert.equal(answer.status, 403, `${what}: ${answer.text}`);
  if (!what.includes("HEAD")) assert.match(answer.text, refusal, what);
}

for (const role of workspaceRoles) {
  describe(`the workspace role ${role}`, () => {
    const allows = (operation: Operation, held: RoleInWorkspace) => {
      const least = leastRole(operation);
      return least === null || includesRole(held, least);
    };
    const ofWorkspace = () => mounted.filter(({ access }) => access === "key");

    test("may call, with a key, exactly what the table says", async () => {
      assert.ok(ofWorkspace().length > 120);
      for (const operation of ofWorkspace()) {
        const answer = await call(operation, bearer(holder(role).key));
        assertAgrees(answer, allows(operation, role), `${role}: ${operation.method} ${operation.path}`);
      }
    });

    test("may call, with the token of a person, exactly what the table says", async () => {
      for (const operation of ofWorkspace()) {
        const answer = await call(operation, bearer(holder(role).jwt));
        assertAgrees(answer, allows(operation, role), `${role}: ${operation.method} ${operation.path}`);
      }
    });

    test("may do with a browser's session, in the workspace that the path names, exactly what the table says", async () => {
      const operations = ofWorkspace().filter(({ path }) => path.startsWith("/account/workspaces/{workspaceId}"));
      assert.ok(operations.length > 5);
      const person = await holderOf(role);
      for (const operation of operations) {
        const path = anyPath(operation).replace("00000000-0000-7000-8000-000000000000", app.workspaceId);
        const headers = ownPage(app, person.cookie);
        const answer = await app.call({ method: operation.method, path, headers });
        // Whether a member may remove another one depends on the other one.
        const isAllowed = allows(operation, role) && (operation.id !== "removeMember" || role === "owner");
        assertAgrees(answer, isAllowed, `${role}: ${operation.method} ${path}`);
      }
    });
  });
}

for (const role of installationRoles) {
  test(`the installation role ${role} may call exactly what the table says`, async () => {
    const operations = mounted.filter(({ access }) => access === "admin");
    assert.ok(operations.length > 50);
    for (const operation of operations) {
      const least = leastRole(operation);
      assert.ok(least !== null, operation.id);
      const answer = await call(operation, bearer(holder(role).jwt));
      assertAgrees(answer, includesRole(role, least), `${role}: ${operation.method} ${operation.path}`);
    }
  });
}

test("a role in a workspace opens nothing on the operators' side, and an auditor runs nothing in a workspace", async () => {
  const answer = await app.call({ path: "/admin/audit", headers: bearer((await holderOf("owner")).jwt) });
  assert.equal(answer.status, 403, answer.text);
  const body = { capabilities: ["call_models"], models: ["*"], credits_max: "1" };
  const made = await app.call({
    method: "POST",
    path: "/account/tokens",
    headers: bearer(holder("auditor").jwt),
    body,
  });
  assert.equal(made.status, 403, made.text);
  assert.match(made.text, refusal);
});

test("the entrances outside the contract keep to the same rule", async () => {
  const dialect = await testApp({ env: { ATELIER_DIALECT: "comfy" } });
  try {
    const keyOf = async (role: string) => {
      const made = await dialect.call({
        method: "POST",
        path: "/account/keys",
        headers: bearer(dialect.key),
        body: { name: role, role },
      });
      return bearer(textOf(made.json(), "secret"));
    };
    const [viewer, member] = [await keyOf("viewer"), await keyOf("member")];
    for (const path of ["/api/prompt", "/api/interrupt", "/api/queue"]) {
      const refused = await dialect.call({ method: "POST", path, headers: viewer, body: {} });
      assert.deepEqual([refused.status, refusal.test(refused.text)], [403, true], `${path}: ${refused.text}`);
      const letIn = await dialect.call({ method: "POST", path, headers: member, body: {} });
      assert.doesNotMatch(letIn.text, refusal, path);
    }
    assert.equal((await dialect.call({ path: "/api/queue", headers: viewer })).status, 200);
  } finally {
    await dialect.close();
  }
});

test("the refusal names the role that is missing", async () => {
  const headers = bearer(holder("member").key);
  const answer = await app.call({ method: "PUT", path: "/account/budgets/all", headers, body: {} });
  assert.deepEqual(answer.json(), {
    error: "forbidden",
    message: 'This takes the role "billing" or "owner"; yours is "member". Ask an owner of the workspace.',
    details: { role: "member", needs_role: "billing" },
  });
});
