// The browser's identity, against a server that the test plays: what is asked, in which order, and with which credential.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiFault } from "./fault.ts";
import { Session } from "./session.ts";

const page = "http://127.0.0.1:8080/console/jobs";

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly bearer: string | null;
}

const tokenFor = (workspace: string, turn: number): string =>
  ["head", Buffer.from(JSON.stringify({ workspace, turn })).toString("base64url"), "sign"].join(".");

// Answers token requests with fresh tokens for `workspace`, and everything else by `answer`.
function scene(answer: (asked: Asked) => number = () => 200) {
  const asked: Asked[] = [];
  const state = { now: 1_000_000, workspace: "one", lifeMs: 60_000, tokenStatus: 201, over: 0, tokens: 0 };
  const session = new Session({
    href: () => page,
    now: () => state.now,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input, page);
      const bearer = new Headers(init?.headers).get("authorization");
      const each = {
        path: `${url.origin === new URL(page).origin ? "" : url.origin}${url.pathname}`,
        method: init?.method ?? "GET",
        bearer,
      };
      asked.push(each);
      await Promise.resolve();
      if (url.pathname !== "/account/tokens") return new Response("{}", { status: answer(each) });
      if (state.tokenStatus !== 201) return Response.json({ message: "No." }, { status: state.tokenStatus });
      const token = tokenFor(state.workspace, ++state.tokens);
      return Response.json({ token, expires_at: new Date(state.now + state.lifeMs).toISOString() }, { status: 201 });
    },
  });
  session.setAuth("session", () => state.over++);
  return { session, asked, state, paths: () => asked.map(({ method, path }) => `${method} ${path}`) };
}

describe("a session's token", () => {
  test("is created once for simultaneous calls, and kept for later ones", async () => {
    const { session, paths, asked } = scene();
    await Promise.all(["/a", "/b", "/c"].map((path) => session.authorisedFetch(path)));
    await session.authorisedFetch("/d");
    assert.deepEqual(paths(), ["POST /account/tokens", "GET /a", "GET /b", "GET /c", "GET /d"]);
    assert.equal(new Set(asked.slice(1).map(({ bearer }) => bearer)).size, 1);
    assert.equal(asked[0]?.bearer, null, "the cookie alone makes a token");
  });

  test("is replaced 20 seconds before it ends, not earlier", async () => {
    const { session, state, paths } = scene();
    await session.authorisedFetch("/a");
    state.now += state.lifeMs - 20_001;
    await session.authorisedFetch("/b");
    assert.equal(state.tokens, 1);
    state.now += 1;
    await session.authorisedFetch("/c");
    assert.equal(state.tokens, 2);
    assert.deepEqual(paths().slice(-2), ["POST /account/tokens", "GET /c"]);
  });

  test("is replaced once if the server refuses it, and the call is sent again", async () => {
    let refusals = 1;
    const { session, state, paths } = scene(() => (refusals-- > 0 ? 401 : 200));
    const response = await session.authorisedFetch("/a", { method: "PUT" });
    assert.equal(response.status, 200);
    assert.deepEqual(paths(), ["POST /account/tokens", "PUT /a", "POST /account/tokens", "PUT /a"]);
    assert.equal(state.over, 0);
  });

  test("is not replaced a second time: a call that is refused twice is refused", async () => {
    const { session, state } = scene(() => 401);
    assert.equal((await session.authorisedFetch("/a")).status, 401);
    assert.equal(state.tokens, 2);
  });

  test("is not replaced for any other answer", async () => {
    for (const status of [400, 403, 404, 429, 500]) {
      const { session, state } = scene(() => status);
      assert.equal((await session.authorisedFetch("/a")).status, status);
      assert.equal(state.tokens, 1);
    }
  });

  test("never leaves this server", async () => {
    const { session, asked, state } = scene();
    await session.authorisedFetch("http://127.0.0.1:9999/c/asset?s=signature");
    await session.authorisedFetch("https://127.0.0.1:8080/other-scheme");
    assert.deepEqual(
      asked.map(({ bearer }) => bearer),
      [null, null],
    );
    assert.equal(state.tokens, 0);
  });

  test("is sent together with a request's own headers", async () => {
    const sent: Headers[] = [];
    const session = new Session({
      href: () => page,
      now: () => 0,
      fetch: async (_, init) => {
        sent.push(new Headers(init?.headers));
        return new Response("{}");
      },
    });
    session.setAuth("token", () => undefined);
    session.setTypedToken("typed");
    await session.authorisedFetch("/a", { headers: { accept: "text/event-stream" } });
    assert.deepEqual(Object.fromEntries(sent[0] ?? []), { accept: "text/event-stream", authorization: "Bearer typed" });
  });
});

describe("the end of a session", () => {
  test("is reported once, and the call fails with the server's words", async () => {
    const { session, state } = scene();
    state.tokenStatus = 401;
    await assert.rejects(
      session.authorisedFetch("/a"),
      (thrown) => thrown instanceof ApiFault && thrown.status === 401,
    );
    assert.equal(state.over, 1);
  });

  test("is not reported when the server just cannot create a token now", async () => {
    const { session, state } = scene();
    state.tokenStatus = 503;
    await assert.rejects(session.bearer(), /No\./);
    assert.equal(state.over, 0);
    state.tokenStatus = 201;
    assert.ok(await session.bearer(), "the next call tries again");
  });

  test("forgets the token: the next call creates its own", async () => {
    const { session, state, asked } = scene();
    await session.authorisedFetch("/a");
    session.forgetToken();
    await session.authorisedFetch("/b");
    assert.equal(state.tokens, 2);
    assert.notEqual(asked.at(-1)?.bearer, asked.at(1)?.bearer);
  });
});

describe("a page of one workspace", () => {
  test("sends nothing once the browser is in another workspace", async () => {
    const { session, state, paths } = scene();
    await session.authorisedFetch("/a");
    state.now += state.lifeMs;
    state.workspace = "two";
    await assert.rejects(
      session.authorisedFetch("/charged", { method: "POST" }),
      (thrown) => thrown instanceof ApiFault && thrown.code === "workspace_changed" && thrown.status === 409,
    );
    assert.equal(paths().includes("POST /charged"), false);
  });

  test("continues in the other workspace after the person chose it", async () => {
    const { session, state, paths } = scene();
    await session.authorisedFetch("/a");
    state.workspace = "two";
    session.forgetToken();
    await session.authorisedFetch("/b");
    assert.equal(paths().at(-1), "GET /b");
  });
});

describe("a server without accounts", () => {
  test("with a typed token requests no other, and reports when it is refused", async () => {
    let status = 200;
    const { session, state, paths, asked } = scene(() => status);
    session.setAuth("token", () => state.over++);
    assert.equal(await session.bearer(), null, "before one is typed");
    session.setTypedToken("typed");
    await session.authorisedFetch("/a");
    assert.equal(asked.at(-1)?.bearer, "Bearer typed");
    status = 401;
    assert.equal((await session.authorisedFetch("/b")).status, 401);
    assert.equal(state.over, 1);
    assert.equal(await session.bearer(), null, "the refused one is forgotten");
    assert.deepEqual(paths(), ["GET /a", "GET /b"]);
  });

  test("without a credential sends none, and a 401 is an answer like any other", async () => {
    const { session, state, asked } = scene(() => 401);
    session.setAuth("none", () => state.over++);
    assert.equal((await session.authorisedFetch("/a")).status, 401);
    assert.deepEqual([asked.length, asked[0]?.bearer, state.over], [1, null, 0]);
  });
});
