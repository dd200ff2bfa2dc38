// Tokens that shrink: what they may do, who may make them, when they end, and what they spend, over several gateways.
// `npm run test:long -- tokens` spends a thousand times.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AccountToken, AccountTokenPage, CreatedToken, type Operation, tokenOperations } from "@atelier/contract";
import { Atelier, Forbidden, Unauthorized } from "@atelier/sdk";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { type AppAnswer, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { anyPath, mountedIn } from "./support/app-operations.ts";
import { addTenant, owner, ownPage } from "./support/app-people.ts";
import { bucketOf } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

const model = "sandbox/voice-1";
const input = { prompt: "waves" };
const page = "https://shop.example";
const isLong = process.env["ATELIER_TEST_LONG"] !== undefined;

let apps: SandboxApps;
let gateways: readonly [TestApp, TestApp, TestApp];
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  const env = { ATELIER_BOOTSTRAP_CREDITS: "100000" };
  app = await apps.open({ env });
  gateways = [app, await apps.open({ env, beside: app }), await apps.open({ env, beside: app })];
});
after(() => apps.close());

interface Made extends CreatedToken {
  readonly id: string;
}

async function make(body: object, from = app.key, at = app): Promise<Made> {
  const answer = await ask(body, from, at);
  assert.equal(answer.status, 201, answer.text);
  const { id, ...made } = requireValid(CreatedToken, answer.json());
  assert.ok(id !== undefined && made.token.startsWith("service-token_"));
  return { id, ...made };
}

const ask = (body: object, from = app.key, at = app) =>
  at.call({ method: "POST", path: "/account/tokens", headers: bearer(from), body });
const forCalls = { capabilities: ["call_models"], models: [model], credits_max: "1000" };
const forDeriving = { capabilities: ["call_models", "derive_tokens"], models: ["sandbox/*"], credits_max: "1000" };

const invoke = (token: string, { at = app, id = model, headers = {} as Record<string, string> } = {}) =>
  at.call({
    method: "POST",
    path: `/v1/models/${id}`,
    headers: { ...bearer(token), "content-type": "application/json", ...headers },
    body: input,
  });
const failureOf = (answer: AppAnswer) => [answer.status, bucketOf(answer)];
const spentBy = async (id: string, at = app) => {
  const answer = await at.call({ path: `/account/tokens/${id}`, headers: bearer(at.key) });
  return parseCredits(requireValid(AccountToken, answer.json()).credits_spent) ?? assert.fail();
};

describe("a token", () => {
  test("opens the operations of its capabilities and no other", async () => {
    const mounted = await mountedIn(app);
    const guarded = mounted.filter(({ access }) => access !== "public");
    assert.ok(guarded.length > 150);
    const ofTokens = new Set(Object.values(tokenOperations).flat());
    for (const [capability, ids] of Object.entries(tokenOperations)) {
      const body = { capabilities: [capability], models: ["*"], credits_max: "0" };
      const { token } = await make(body);
      // One token tries everything, the others what some token may do.
      const tried = capability === "call_models" ? guarded : guarded.filter(({ id }) => ofTokens.has(id));
      for (const operation of tried) {
        const answer = await send(operation, token);
        const isOfKeys = operation.access === "key" || operation.path.startsWith("/account");
        const expected = isOfKeys ? 403 : 401;
        const isOpen = ids.includes(operation.id);
        assert.equal(answer.status === 401 || answer.status === 403, !isOpen, `${capability}: ${operation.id}`);
        if (!isOpen) assert.equal(answer.status, expected, `${capability}: ${operation.id} ${answer.text}`);
      }
      assert.ok(ids.every((id) => mounted.some((operation) => operation.id === id)));
      assert.equal((await app.call({ path: "/v1/nothing", headers: bearer(token) })).status, 403);
    }
  });

  const send = (operation: Operation, token: string) =>
    app.call({
      method: operation.method,
      path: anyPath(operation),
      headers: bearer(token),
      // Without a body it would ask for an identity token.
      ...(operation.id === "createIdentityToken" ? { body: {} } : {}),
    });

  test("calls the models it names, reads its own requests, and pays from its credits", async () => {
    const made = await make({ ...forCalls, capabilities: ["call_models", "read_models"] });
    const call = await invoke(made.token);
    assert.equal(call.status, 200, call.text);
    const used = parseCredits(headerOf(call, "x-service-credits-used") ?? "") ?? assert.fail();
    assert.ok(used > 0n);
    assert.equal(await spentBy(made.id), used);
    assert.deepEqual(failureOf(await invoke(made.token, { id: "sandbox/text-1" })), [403, "forbidden"]);
    const listed = (await app.call({ path: "/v1/models", headers: bearer(made.token) })).json();
    assert.deepEqual(textOf(listed, "data", "0", "id"), model);
    assert.equal(memberOf(listed, "data", "1"), undefined);
    const requests = `/v1/models/${model}/requests`;
    const headers = { ...bearer(made.token), "content-type": "application/json" };
    const queued = await app.call({ method: "POST", path: requests, headers, body: input });
    assert.equal(queued.status, 202, queued.text);
    const own = `${requests}/${textOf(queued.json(), "request_id")}`;
    await until("the request has completed", async () => (await app.call({ path: own, headers })).status === 200);
    const other = await make(forCalls);
    assert.equal((await app.call({ path: own, headers: bearer(other.token) })).status, 404);
    const hooked = { ...headers, "x-service-webhook-url": "https://hooks.example/x" };
    assert.equal((await app.call({ method: "POST", path: requests, headers: hooked, body: input })).status, 403);
  });

  test("is not among the keys, and its secret is shown once", async () => {
    const made = await make({ ...forCalls, label: " Shop " });
    assert.deepEqual([made.label, made.hint], ["Shop", made.token.slice(0, made.hint?.length)]);
    for (const path of ["/account/keys", "/account/tokens", `/account/tokens/${made.id}`]) {
      const { text } = await app.call({ path, headers: bearer(app.key) });
      assert.ok(!text.includes(made.token));
      assert.equal(text.includes(made.id), path !== "/account/keys");
    }
    const { status } = await app.call({ method: "DELETE", path: `/account/keys/${made.id}`, headers: bearer(app.key) });
    assert.equal(status, 404);
  });

  test("of another workspace does not exist", async () => {
    const eve = await addTenant(app, "Eve");
    const made = await make(forCalls);
    for (const method of ["GET", "DELETE"])
      assert.equal(
        (await app.call({ method, path: `/account/tokens/${made.id}`, headers: bearer(eve.key) })).status,
        404,
      );
    const listed = requireValid(
      AccountTokenPage,
      (await app.call({ path: "/account/tokens", headers: bearer(eve.key) })).json(),
    );
    assert.deepEqual(listed.data, []);
  });

  test("works only where it may: pages, addresses, and not when forged", async () => {
    const { token } = await make({ ...forCalls, origins: [page], addresses: ["198.51.100.0/24"] });
    const from = { "x-forwarded-for": "198.51.100.7" };
    const ok = await invoke(token, { headers: { ...from, origin: page } });
    assert.equal(ok.status, 200, ok.text);
    assert.equal(headerOf(ok, "access-control-allow-origin"), page);
    assert.deepEqual(failureOf(await invoke(token, { headers: from })), [403, "forbidden"]);
    const elsewhere = await invoke(token, { headers: { origin: page, "x-forwarded-for": "203.0.113.7" } });
    assert.equal(elsewhere.status, 403);
    assert.match(elsewhere.text, /address/);
    const forged = `${token.slice(0, -8)}${token.slice(-8).split("").reverse().join("")}`;
    assert.equal((await invoke(forged, { headers: { ...from, origin: page } })).status, 401);
    const longer = `${token}.${token}`;
    assert.equal((await invoke(longer, { headers: { ...from, origin: page } })).status, 401);
  });
});

test("the SDK makes one, and a client with it calls its model and nothing else", async () => {
  const { baseUrl } = app;
  const atelier = new Atelier({ baseUrl, apiKey: app.key });
  const made = await atelier.tokens.create({ capabilities: ["call_models"], models: [model], creditsMax: 50 });
  const narrow = new Atelier({ baseUrl, apiKey: made.token });
  await narrow.models.run(model, input);
  await assert.rejects(narrow.models.run("sandbox/text-1", input), Forbidden);
  await assert.rejects(narrow.tokens.get(made.id), Forbidden);
  assert.ok(Number((await atelier.tokens.get(made.id)).credits_spent) > 0);
  const ids: string[] = [];
  for await (const { id } of atelier.tokens.list({ pageSize: 5 })) ids.push(id);
  assert.ok(ids.includes(made.id));
  assert.notEqual((await atelier.tokens.revoke(made.id)).revoked_at, null);
  await assert.rejects(narrow.models.run(model, input), Unauthorized);
});

describe("pages of an origin that a token names", () => {
  const preflight = (origin: string, path: string, method = "POST") =>
    app.call({ method: "OPTIONS", path, headers: { origin, "access-control-request-method": method } });

  test("may ask for what tokens can do, and other pages may not", async () => {
    const origin = "https://window.example";
    const before = await preflight(origin, `/v1/models/${model}`);
    assert.equal(before.status, 403, "no token names it yet");
    await make({ ...forCalls, origins: [origin] });
    for (const path of [`/v1/models/${model}`, `/v1/models/${model}/requests`, `/v1/models/${model}/estimate`]) {
      const answer = await preflight(origin, path);
      assert.deepEqual([answer.status, headerOf(answer, "access-control-allow-origin")], [204, origin], path);
      assert.equal(headerOf(answer, "access-control-allow-credentials"), undefined);
    }
    assert.equal((await preflight(origin, "/account/keys")).status, 403);
    assert.equal((await preflight("https://evil.example", `/v1/models/${model}`)).status, 403);
    const wrong = await invoke("service-token_x", { headers: { origin } });
    assert.deepEqual([wrong.status, headerOf(wrong, "access-control-allow-origin")], [401, origin], "a page reads why");
  });
});

describe("a token made from a token", () => {
  test("has the narrower of each restriction, and ends no later", async () => {
    const parent = await make({ ...forDeriving, expires_in_seconds: 600, end_user: "ada", addresses: ["0.0.0.0/0"] });
    const body = { capabilities: ["call_models", "upload_assets"], models: ["*"], expires_in_seconds: 86_400 };
    const child = await make({ ...body, credits_max: "5000", addresses: ["192.0.2.9", "::/0"] }, parent.token);
    assert.deepEqual(
      [child.capabilities, child.models, child.credits_max, child.end_user, child.addresses, child.expires_at],
      [["call_models"], ["sandbox/*"], "1000", "ada", ["192.0.2.9/32"], parent.expires_at],
    );
    assert.deepEqual([child.depth, child.parent_id], [2, parent.id]);
    for (const wider of [
      { capabilities: ["read_assets"] },
      { ...forCalls, models: ["other/*"] },
      { ...forCalls, end_user: "bob" },
      { ...forCalls, addresses: ["2001:db8::/32"] },
    ])
      assert.equal((await ask(wider, parent.token)).status, 403, JSON.stringify(wider));
    const last = await make(forCalls, parent.token);
    assert.equal((await ask(forCalls, last.token)).status, 403, "it cannot derive");
    assert.equal((await ask({ ...forCalls, orgins: [page] })).status, 400, "a misspelt restriction is not ignored");
  });

  test("is seen and revoked by its ancestors and not by its siblings", async () => {
    const parent = await make(forDeriving);
    const sibling = await make(forDeriving);
    const child = await make(forCalls, parent.token);
    const path = `/account/tokens/${child.id}`;
    assert.equal((await app.call({ path, headers: bearer(sibling.token) })).status, 404);
    assert.equal((await app.call({ method: "DELETE", path, headers: bearer(sibling.token) })).status, 404);
    const listed = (await app.call({ path: "/account/tokens", headers: bearer(parent.token) })).json();
    assert.deepEqual([textOf(listed, "data", "0", "id"), memberOf(listed, "data", "1")], [child.id, undefined]);
    assert.equal((await app.call({ method: "DELETE", path, headers: bearer(parent.token) })).status, 200);
    assert.equal((await invoke(child.token)).status, 401);
    assert.equal((await invoke(parent.token)).status, 200);
  });

  test("stops at the eighth", async () => {
    let { token } = await make(forDeriving);
    for (let depth = 2; depth <= 8; depth += 1) token = (await make(forDeriving, token)).token;
    assert.equal((await ask(forDeriving, token)).status, 403);
  });
});

describe("revoking an ancestor ends all descendants at every gateway", () => {
  async function chain(from: string) {
    const one = await make(forDeriving, from);
    const two = await make(forDeriving, one.token);
    const three = await make(forCalls, two.token);
    for (const at of gateways)
      for (const { token } of [one, two, three]) assert.notEqual((await estimate(token, at)).status, 401);
    return { ids: [one.id, two.id], tokens: [one.token, two.token, three.token] };
  }
  const estimate = (token: string, at: TestApp) =>
    at.call({
      method: "POST",
      path: `/v1/models/${model}/estimate`,
      headers: { ...bearer(token), "content-type": "application/json" },
      body: input,
    });
  async function assertEnded(tokens: readonly string[]) {
    for (const at of gateways)
      for (const token of tokens)
        await until("the token has ended", async () => (await estimate(token, at)).status === 401);
  }

  test("a token in the middle of the chain", async () => {
    const { ids, tokens } = await chain(app.key);
    const path = `/account/tokens/${ids[1]}`;
    assert.equal((await app.call({ method: "DELETE", path, headers: bearer(app.key) })).status, 200);
    await assertEnded(tokens.slice(1));
    assert.equal((await estimate(tokens[0] ?? "", gateways[2])).status, 200);
  });

  test("the key", async () => {
    const made = await app.call({
      method: "POST",
      path: "/account/keys",
      headers: bearer(app.key),
      body: { name: "root", scopes: ["models"] },
    });
    const { tokens } = await chain(textOf(made.json(), "secret"));
    const path = `/account/keys/${textOf(made.json(), "id")}`;
    assert.equal((await app.call({ method: "DELETE", path, headers: bearer(app.key) })).status, 200);
    await assertEnded(tokens);
  });

  test("the session", async () => {
    const person = await owner(app);
    const headers = ownPage(app, person.cookie);
    const made = await app.call({ method: "POST", path: "/account/tokens", headers, body: forDeriving });
    assert.equal(made.status, 201, made.text);
    const { tokens } = await chain(textOf(made.json(), "token"));
    assert.equal((await app.call({ method: "POST", path: "/profile/sign-out", headers, body: {} })).status, 204);
    await assertEnded([textOf(made.json(), "token"), ...tokens]);
  });
});

describe("nested budgets", () => {
  test("are never exceeded by spends at the same time over three gateways", async () => {
    const { price } = await measure();
    const credits = (count: bigint) => String(Number(price * count) / 1_000_000);
    const spends = isLong ? 1_000 : 24;
    const fits = BigInt(spends) / 3n;
    const root = await make({ ...forDeriving, credits_max: credits(fits) });
    const middle = await make({ ...forDeriving, credits_max: credits(fits - 2n) }, root.token);
    const leaves = [
      await make({ ...forCalls, credits_max: credits(fits) }, root.token),
      await make({ ...forCalls, credits_max: credits(fits) }, middle.token),
      await make({ ...forCalls, credits_max: credits(2n) }, middle.token),
    ];
    const statuses: number[] = [];
    const lanes = 12;
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let at = lane; at < spends; at += lanes) {
          const leaf = leaves[at % leaves.length] ?? root;
          const gateway = gateways[at % gateways.length] ?? app;
          const { status, text } = await invoke(leaf.token, { at: gateway });
          assert.ok(status === 200 || status === 402 || status === 429, text);
          statuses.push(status);
        }
      }),
    );
    const paid = BigInt(statuses.filter((status) => status === 200).length);
    const [ofRoot, ofMiddle, ofLast] = [
      await spentBy(root.id),
      await spentBy(middle.id),
      await spentBy(leaves[2]?.id ?? ""),
    ];
    assert.equal(ofRoot, paid * price, "every spend counts against the root");
    assert.ok(paid <= fits && ofMiddle <= price * (fits - 2n) && ofLast <= price * 2n);
    assert.equal(
      ofRoot,
      (await Promise.all(leaves.map(({ id }) => spentBy(id)))).reduce((sum, each) => sum + each, 0n),
    );
    assert.ok(paid > 0n && statuses.includes(402));
  });

  test("count against the cap of the key at the root", async () => {
    const { price } = await measure();
    const made = await app.call({
      method: "POST",
      path: "/account/keys",
      headers: bearer(app.key),
      body: { name: "capped", scopes: ["models"] },
    });
    const [id, secret] = [textOf(made.json(), "id"), textOf(made.json(), "secret")];
    const { token } = await make(forCalls, secret);
    assert.equal((await invoke(token)).status, 200);
    const caps = { daily_credits_max: String(Number(price * 2n) / 1_000_000), monthly_credits_max: null };
    const path = `/account/keys/${id}/caps`;
    assert.equal((await app.call({ method: "PUT", path, headers: bearer(app.key), body: caps })).status, 200);
    assert.equal((await invoke(token)).status, 200);
    const refused = await invoke(token);
    assert.deepEqual(failureOf(refused), [402, "insufficient_credits"]);
    assert.match(refused.text, /made from/);
    assert.ok(!refused.text.includes(caps.daily_credits_max), "says nothing about the key's figures");
    assert.equal((await invoke(secret)).status, 402);
  });

  async function measure(): Promise<{ price: bigint }> {
    const used = headerOf(await invoke(app.key), "x-service-credits-used") ?? "";
    const price = parseCredits(used) ?? 0n;
    assert.ok(price > 0n);
    return { price };
  }
});
