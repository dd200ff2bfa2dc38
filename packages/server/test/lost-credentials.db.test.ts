// Losing a credential ends everything it holds open, at every gateway: event streams, websockets and agents' streams. The
// watched job never runs, so only the loss of the credential can end them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, listOf, textOf } from "./support/app-client.ts";
import { addTenant, ownPage, signIn, type Tenant } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
};

let here: TestApp;
let there: TestApp;
let eve: Tenant;
before(async () => {
  const env = { ATELIER_DIALECT: "comfy", ATELIER_ENGINE_SLOTS: "0" };
  here = await testApp({ env });
  there = await testApp({ beside: here, env });
  eve = await addTenant(here, "Eve");
});
after(async () => {
  await there.close();
  await here.close();
});

async function newKey(headers: Readonly<Record<string, string>> = bearer(eve.key)) {
  const made = await here.call({ method: "POST", path: "/account/keys", headers, body: { name: "leaked" } });
  assert.equal(made.status, 201, made.text);
  return { id: textOf(made.json(), "id"), secret: textOf(made.json(), "secret") };
}

// A person of Eve's workspace, with a session.
async function newMember() {
  const members = `/account/workspaces/${eve.workspaceId}/members`;
  const invited = await here.call({ method: "POST", path: members, headers: bearer(eve.key), body: { name: "Bob" } });
  assert.equal(invited.status, 201, invited.text);
  const id = textOf(invited.json(), "id");
  const { cookie, jwt } = await signIn(here, textOf(invited.json(), "sign_in", "url").split("/sign-in/")[1] ?? "");
  // A token names the gateway that issued it.
  const issued = await there.call({ method: "POST", path: "/account/tokens", headers: ownPage(there, cookie) });
  return { cookie, tokens: [jwt, textOf(issued.json(), "token")], path: `${members}/${id}` };
}

async function openJob(): Promise<string> {
  const body = { workflow };
  const answer = await here.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(eve.key), body });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

describe("event streams end at every gateway", () => {
  test("when the key is revoked, and streams of another key of the workspace continue", async () => {
    const key = await newKey();
    const ended = await watching(key.secret);
    const others = await watching(eve.key);
    const revoked = await here.call({ method: "DELETE", path: `/account/keys/${key.id}`, headers: bearer(eve.key) });
    assert.equal(revoked.status, 200, revoked.text);
    await ended.over();
    assert.deepEqual(others.isOver(), [false, false]);
    others.leave();
  });

  test("when the person signs out", async () => {
    const bob = await newMember();
    const ended = await watching(...bob.tokens);
    const headers = ownPage(here, bob.cookie);
    const out = await here.call({ method: "POST", path: "/profile/sign-out", headers, body: {} });
    assert.equal(out.status, 204, out.text);
    await ended.over();
  });

  test("when the session is ended by its id", async () => {
    const bob = await newMember();
    const ended = await watching(...bob.tokens);
    const headers = ownPage(here, bob.cookie);
    const listed = await here.call({ path: "/account/sessions", headers });
    const path = `/account/sessions/${textOf(listOf(listed.json(), "data")[0], "id")}`;
    const out = await here.call({ method: "DELETE", path, headers });
    assert.ok(out.status < 300, out.text);
    await ended.over();
  });

  test("when the membership ends, including those of the person's keys", async () => {
    const bob = await newMember();
    const key = await newKey(ownPage(here, bob.cookie));
    const ended = [await watching(...bob.tokens), await watching(key.secret)];
    const out = await here.call({ method: "DELETE", path: bob.path, headers: bearer(eve.key) });
    assert.equal(out.status, 200, out.text);
    for (const each of ended) await each.over();
  });
});

describe("connections of a revoked key", () => {
  test("websockets are closed as not allowed", async () => {
    const key = await newKey();
    const codes: number[] = [];
    const sockets = [here, there].map(({ baseUrl }) => {
      const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/api/ws?clientId=spy&token=${key.secret}`);
      socket.addEventListener("close", ({ code }) => codes.push(code));
      return socket;
    });
    await until("both are open", async () => sockets.every(({ readyState }) => readyState === WebSocket.OPEN));
    await here.call({ method: "DELETE", path: `/account/keys/${key.id}`, headers: bearer(eve.key) });
    await until("both are closed", async () => codes.length === 2);
    assert.deepEqual(codes, [1008, 1008]);
  });

  test("an agent's stream is cut", async () => {
    const key = await newKey();
    const answer = await fetch(`${there.baseUrl}/mcp`, {
      method: "POST",
      headers: {
        ...bearer(key.secret),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "run_workflow",
          arguments: { workflow, wait_seconds: 300 },
          _meta: { progressToken: "p" },
        },
      }),
      signal: AbortSignal.timeout(60_000),
    });
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
    const read = answer.text().then(
      () => "ended",
      (thrown: unknown) => (thrown instanceof DOMException ? "timed out" : "cut"),
    );
    await here.call({ method: "DELETE", path: `/account/keys/${key.id}`, headers: bearer(eve.key) });
    assert.notEqual(await read, "timed out");
  });
});

// The streams of one caller at both gateways.
async function watching(atHere = "", atThere = atHere) {
  const id = await openJob();
  const leaving = new AbortController();
  const { signal } = leaving;
  const open = ({ baseUrl }: TestApp, credential: string) =>
    fetch(`${baseUrl}/api/v2/jobs/${id}/events`, { headers: bearer(credential), signal });
  const opened = await Promise.all([open(here, atHere), open(there, atThere)]);
  assert.deepEqual(
    opened.map(({ status }) => status),
    [200, 200],
  );
  const texts: (string | null)[] = [null, null];
  opened.forEach((answer, at) => {
    void answer.text().then(
      (text) => {
        texts[at] = text;
      },
      () => undefined,
    );
  });
  return {
    isOver: () => texts.map((text) => text !== null),
    leave: () => leaving.abort(),
    async over() {
      await until("both streams are over", async () => texts.every((text) => text !== null));
      for (const text of texts) assert.match(text ?? "", /: the credential is no longer valid\n\n$/);
    },
  };
}
