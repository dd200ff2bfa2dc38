// Decisions, section 1: error bodies never contain upstream host names. Here the whole answer is searched, status line
// and headers included, for everything that the sandbox can simulate and everything that a provider or a wrong definition
// can do to us.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { simulations } from "@atelier/sandbox";
import type { ProviderDefinition } from "../src/capabilities/providers/index.ts";
import { freePort } from "./support/free-port.ts";
import { inLanes } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import {
  mark,
  plainModel,
  pollOf,
  type Script,
  type ScriptedUpstream,
  scriptedUpstream,
} from "./support/scripted-upstream.ts";
import type { TestApp } from "./support/test-app.ts";

const page = `<html><h1>502 ${mark}</h1>nginx at upstream.internal.example</html>`;
const failure = (status: number): Script => ({
  answer: ({ url, host }) => ({
    status,
    body: JSON.stringify({ error: `${mark} ${url} ${host}`, detail: `${mark} ${host}` }),
  }),
});
const task = (name: string, body: (upstream: { url: string; host: string }) => object): Script => ({
  answer: (upstream) => ({ body: JSON.stringify(body(upstream)) }),
  model: { poll: pollOf(name), longest_run_seconds: 2, result: ["/result"] },
});

const scripts: Readonly<Record<string, Script>> = {
  ...Object.fromEntries(
    [400, 401, 402, 403, 404, 408, 409, 413, 415, 418, 422, 500, 502, 503, 504].map((status) => [
      `status-${status}`,
      failure(status),
    ]),
  ),
  redirect: { answer: ({ url }) => ({ status: 302, headers: { location: `${url}/${mark}` } }) },
  page: { answer: { headers: { "content-type": "text/html" }, body: page } },
  "page-of-502": { answer: { status: 502, headers: { "content-type": "text/html" }, body: page } },
  "no-result": { answer: { body: `{"note":"${mark}"}` }, model: { result: ["/result"] } },
  "broken-json": { answer: { body: `{"note":"${mark}` } },
  "broken-coding": { answer: { headers: { "content-encoding": "gzip" }, body: mark }, model: { result: ["/result"] } },
  reset: { answer: { act: (response) => void response.req.socket.resetAndDestroy() } },
  garbage: { answer: { act: (response) => void response.req.socket.end(`${mark} this is no HTTP\r\n\r\n`) } },
  "too-little": {
    answer: {
      act: (response) =>
        void response.req.socket.end(
          `HTTP/1.1 200 ${mark}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a`,
        ),
    },
  },
  "header-flood": {
    answer: { act: (response) => void response.req.socket.end(`HTTP/1.1 200 OK\r\nx: ${mark.repeat(20_000)}\r\n\r\n`) },
  },
  refused: {
    answer: ({ url, host }) => ({
      body: JSON.stringify({ no: `Refused at ${url}/x by ${host}, upstream.internal.example` }),
    }),
    model: { rules: [{ when: { pointer: "/no", present: true }, means: "refused", message: "/no" }] },
  },
  rejected: {
    answer: ({ host }) => ({
      status: 400,
      body: JSON.stringify({ no: `Bad for ${host} and upstream.internal.example` }),
    }),
    model: { rules: [{ when: { status: [400] }, means: "rejected_input", message: "/no" }] },
  },
  "task-failed": task("task-failed", ({ host }) => ({ id: "1", status: "FAILED", message: `${mark} ${host}` })),
  "task-refused": task("task-refused", ({ host, url }) => ({
    id: "1",
    status: "REFUSED",
    message: `By ${host} ${url}`,
  })),
  "task-empty": task("task-empty", () => ({ id: "1", status: "SUCCEEDED", note: mark })),
  "task-without-id": task("task-without-id", () => ({ note: mark })),
  "task-elsewhere": {
    answer: ({ url }) => ({
      body: JSON.stringify({ id: "1", at: `${url.replace("127.0.0.1", "127.0.0.9")}/${mark}` }),
    }),
    model: { poll: { ...withoutPath(pollOf("x")), url: "/at" }, longest_run_seconds: 2 },
  },
};

function withoutPath<T extends { path: string }>({ path: _, ...rest }: T): Omit<T, "path"> {
  return rest;
}

let apps: SandboxApps;
let app: TestApp;
let upstream: ScriptedUpstream;
let closedPort = 0;

before(async () => {
  apps = await sandboxApps();
  upstream = await scriptedUpstream(scripts);
  closedPort = await freePort();
  const wrong = (provider: string, base_url: string): ProviderDefinition => ({
    provider,
    base_url,
    credential: { kind: "none" },
    models: [
      plainModel("model"),
      { ...plainModel("asked"), recovery: "ask", ask: { path: "/a", not_found: [404], running: [409] } },
    ],
  });
  const files = await Promise.all([
    apps.write("scripted", upstream.definition),
    apps.write("nobody", wrong("nobody", `http://127.0.0.1:${closedPort}`)),
    apps.write("not-tls", wrong("not-tls", `https://127.0.0.1:${upstream.port}`)),
    apps.write("name", wrong("name", `http://localhost:${closedPort}/deep/${mark}`)),
  ]);
  app = await apps.open({ env: { ATELIER_PROVIDERS: [apps.file, ...files].join(",") } });
});
after(async () => {
  await apps.close();
  await upstream.close();
});

// The raw answer on the wire.
function wireAnswer(model: string, input: object): Promise<{ status: number; head: string; body: string }> {
  const body = JSON.stringify(input);
  const lines = [
    `POST /v1/models/${model} HTTP/1.1`,
    `host: 127.0.0.1:${app.port}`,
    `x-api-key: ${app.key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(app.port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`));
    const pieces: Buffer[] = [];
    socket.setTimeout(120_000, () => socket.destroy(new Error(`no answer for ${model} ${body}`)));
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("error", reject);
    socket.on("close", () => {
      const text = Buffer.concat(pieces).toString("latin1");
      const [head = "", ...rest] = text.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1] ?? 0), head, body: rest.join("\r\n\r\n") });
    });
  });
}

function assertNothingLeaks(what: string, text: string): void {
  const ports = [upstream.port, apps.sandbox.port, closedPort].map((port) => `(?<![0-9a-f])${port}(?![0-9a-f])`);
  const forbidden = new RegExp(
    [
      mark,
      "127\\.0\\.0\\.",
      "localhost",
      "internal\\.example",
      "nginx",
      "<html",
      "ECONN",
      "undici",
      "node:",
      ...ports,
    ].join("|"),
    "i",
  );
  const found = forbidden.exec(text);
  assert.equal(found, null, `${what} leaks "${found?.[0]}" in ${text.slice(0, 600)}`);
}

const simulated = ["image-1", "image-1-queued", "video-1", "voice-1", "text-1"].flatMap((model) =>
  simulations.map((simulate) => ({ model, simulate })),
);

test("in every simulated failure, no error and no response header names the provider or quotes its failures", {
  timeout: 900_000,
}, async () => {
  const errors = new Map<string, number>();
  await inLanes(12, simulated, async ({ model, simulate }) => {
    const size = model === "voice-1" || model === "text-1" ? {} : { width: 64, height: 64 };
    const seconds = simulate === "hang" || simulate === "drip" ? { simulate_seconds: 0.2 } : {};
    const what = `${model} ${simulate}`;
    const { status, head, body } = await wireAnswer(`sandbox/${model}`, { prompt: "x", simulate, ...size, ...seconds });
    assertNothingLeaks(what, head);
    assert.match(head, /^x-service-request-id: /im, what);
    if (status === 200) return;
    errors.set(simulate, (errors.get(simulate) ?? 0) + 1);
    assertNothingLeaks(what, body);
    if (simulate !== "refuse") assert.ok(!/simulated|generation_failed/i.test(body), `${what} quotes: ${body}`);
    assert.match(head, /^x-service-error-type: (?:provider_error|content_policy_violation)\r?$/im, what);
  });
  for (const simulate of ["refuse", "fail", "html", "rate_limit"]) assert.equal(errors.get(simulate), 5, simulate);
  for (const simulate of ["reset", "truncate"]) assert.ok((errors.get(simulate) ?? 0) >= 3, simulate);
});

describe("a provider that misbehaves in every known way", () => {
  for (const name of Object.keys(scripts)) {
    test(`${name}: our own error, and nothing of its text, host or port`, { timeout: 900_000 }, async () => {
      const { status, head, body } = await wireAnswer(`scripted/${name}`, { a: 1 });
      assert.ok(status >= 400, `${name} answered ${status}: ${body}`);
      assertNothingLeaks(name, head);
      assertNothingLeaks(name, body);
      assert.match(head, /^x-service-error-type: [a-z_]+\r?$/im);
    });
  }

  test("a poll address on another host is never called", () => {
    assert.deepEqual(
      [...upstream.seen.keys()].filter((path) => path.includes(mark)),
      [],
    );
  });
});

describe("a definition with a wrong address for the provider", () => {
  for (const id of ["nobody/model", "nobody/asked", "not-tls/model", "not-tls/asked", "name/model", "name/asked"]) {
    test(`${id}: 502, and no word about where we looked`, { timeout: 900_000 }, async () => {
      const { status, head, body } = await wireAnswer(id, { a: 1 });
      assert.equal(status, 502, body);
      assertNothingLeaks(id, head);
      assertNothingLeaks(id, body);
    });
  }
});

test("the log does say why, for the operator", () => {
  assert.ok(app.logged.some((line) => line.includes("a model call did not complete")));
});
