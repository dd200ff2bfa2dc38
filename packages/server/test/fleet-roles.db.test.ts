// An installation whose processes share the work by roles: a gateway that answers callers and does nothing else, and a
// process that does the rest and answers none. Work left to others waits, and is done once by the right process.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { UsageProblem } from "../src/foundation/settings.ts";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { freePort } from "./support/free-port.ts";
import { type HeldProvider, heldProvider } from "./support/held-provider.ts";
import { type QueuedCall, submitted } from "./support/model-requests.ts";
import { type HookReceiver, hookReceiver } from "./support/partner-app.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { collectOutput, runAtelier, until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "roles" } },
};

// All background work of a process whose only role is to answer: for its own calls, its own caches and itself.
const worksOfGateway = [
  "background: write down how it goes",
  "calls: ask providers about open calls",
  "calls: heartbeat of this process",
  "calls: release what was never sent",
  "identity: end what lost credentials hold open",
  "keys: write their last use",
  "limits: exchange request rates",
  "moves: which workspaces left",
  "node policies: read them again",
  "price badges: read changed ones",
  "providers: read changed definitions",
  "registry: forget changed answers",
  "request bodies: who keeps them",
  "secrets: read a changed key ring",
  "webhooks: loopback targets",
];

let apps: SandboxApps;
let held: HeldProvider;
let receiver: HookReceiver;
let gateway: TestApp;
let env: Record<string, string>;

before(async () => {
  apps = await sandboxApps();
  held = await heldProvider("held");
  held.flow(true);
  receiver = await hookReceiver();
  const files = [apps.file, await apps.write("held", held.definition)].join(",");
  env = { ATELIER_PROVIDERS: files, ATELIER_WEBHOOK_TARGETS: receiver.target, ATELIER_ENGINE_SLOTS: "1" };
  gateway = await apps.open({ env: { ...env, ATELIER_ROLES: "gateway", ATELIER_METRICS_PORT: "0" } });
});
after(async () => {
  await apps.close();
  await held.close();
  await receiver.close();
});

const metricsOf = async ({ monitoringPort }: TestApp) =>
  (await fetch(`http://127.0.0.1:${monitoringPort}/metrics`)).text();

const figure = async (app: TestApp, line: string) => {
  const found = (await metricsOf(app)).split("\n").find((text) => text.startsWith(`${line} `));
  // A metric of something that never happened is not shown.
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
};

const worksOf = async (app: TestApp) =>
  (await metricsOf(app))
    .split("\n")
    .flatMap((line) => /^atelier_background_interval_seconds\{work="([^"]+)"\}/.exec(line)?.[1] ?? [])
    .sort();

const roundsFor = (app: TestApp, work: string) => figure(app, `atelier_background_rounds{work="${work}"}`);

interface Asked {
  readonly job: string;
  readonly request: QueuedCall;
}

async function askForBoth(): Promise<Asked> {
  const headers = bearer(gateway.key);
  const body = { workflow, webhook_url: receiver.url };
  const made = await gateway.call({ method: "POST", path: "/api/v2/jobs", headers, body });
  assert.equal(made.status, 201, made.text);
  const asked = { prompt: "who does it" };
  const request = await submitted(gateway, "held/plain", asked, { "x-service-webhook-url": receiver.url });
  return { job: textOf(made.json(), "urls", "self"), request };
}

const statusOf = async (path: string) =>
  textOf((await gateway.call({ path, headers: bearer(gateway.key) })).json(), "status");

const checks = async () => (await gateway.call({ path: "/admin/checks", headers: bearer(gateway.adminToken) })).text;

describe("a gateway and a process for the rest", () => {
  let asked: Asked;

  test("the gateway alone accepts a job and a queued call, and runs neither", async () => {
    asked = await askForBoth();
    // Its own works keep running, so it has had every chance to begin.
    const exchange = "limits: exchange request rates";
    const rounds = await roundsFor(gateway, exchange);
    await until("its own work goes on", async () => (await roundsFor(gateway, exchange)) >= rounds + 3);
    assert.equal(await statusOf(asked.job), "queued");
    assert.equal(memberOf((await asked.request.status()).json(), "status"), "IN_QUEUE");
    assert.deepEqual([held.calls.length, receiver.hooks.length], [0, 0]);
    assert.deepEqual(await worksOf(gateway), worksOfGateway);
    assert.match(await checks(), /no process has the role background[\s\S]*no process has the role webhooks/);
  });

  test("the other process runs both and reports them, and the gateway ran none of it", async () => {
    const rest = await apps.open({
      beside: gateway,
      env: {
        ...env,
        ATELIER_ROLES: "background,webhooks,engine",
        ATELIER_PORT: String(gateway.port),
        ATELIER_CONTENT_PORT: String(gateway.contentPort),
        ATELIER_METRICS_PORT: "0",
      },
    });
    await until("the job has ended", async () => (await statusOf(asked.job)) === "succeeded");
    await asked.request.until("COMPLETED");
    // The job's changes and the request's end.
    const wasSent = (type: string) => receiver.hooks.some(({ value }) => value["type"] === type);
    await until("both are told of", () => wasSent("job.succeeded") && wasSent("model_request.completed"));
    assert.equal(held.calls.length, 1);
    const attempts = 'atelier_webhook_attempts_total{outcome="taken"}';
    await until("its attempts are counted", async () => (await figure(rest, attempts)) === receiver.hooks.length);
    assert.equal(await figure(rest, "atelier_model_request_wait_seconds_count"), 1);
    assert.equal(await figure(gateway, attempts), 0);
    assert.equal(await figure(gateway, "atelier_model_request_wait_seconds_count"), 0);
    assert.equal(await figure(gateway, 'atelier_process_info{roles="gateway"}'), 1);
    const works = await worksOf(rest);
    for (const work of [
      "calls: take over what dead processes left",
      "jobs: leases that ran out, jobs that expire",
      "model requests: start what waits",
      "partner tasks: ask partners",
      "webhooks: look for due deliveries",
      "worker: report to its pool",
    ])
      assert.ok(works.includes(work), `${work} is not among ${works.join(", ")}`);
    // Its links lead to the gateway, and its own listener only serves probes.
    for (const { text } of receiver.hooks)
      for (const [, port] of text.matchAll(/http:\/\/127\.0\.0\.1:(\d+)\/(?!hook)/g))
        assert.ok([gateway.port, gateway.contentPort].includes(Number(port)), text);
    const at = (path: string) => fetch(`http://127.0.0.1:${rest.monitoringPort}${path}`);
    assert.deepEqual(
      await Promise.all(["/livez", "/readyz", "/v1/models", "/"].map(async (path) => (await at(path)).status)),
      [200, 200, 404, 404],
    );
    const listed = await gateway.call({ path: "/admin/background-work", headers: bearer(gateway.adminToken) });
    const names = listOf(listed.json(), "data").map((one) => textOf(one, "name"));
    assert.doesNotMatch(await checks(), /no process has the role/);
    assert.deepEqual(names.map((name) => / \(([^)]+)\) on /.exec(name)?.[1]).sort(), [
      "background, webhooks, engine",
      "gateway",
    ]);
  });

  test("the other process runs at once what the gateway accepts next", async () => {
    const next = await askForBoth();
    await until("the job has ended", async () => (await statusOf(next.job)) === "succeeded");
    await next.request.until("COMPLETED");
    assert.equal(await figure(gateway, "atelier_model_request_wait_seconds_count"), 0);
  });
});

describe("the command", { timeout: 900_000 }, () => {
  const serve = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runAtelier(["serve", ...words], {
      ATELIER_HOME: gateway.home,
      ATELIER_SANDBOX: "off",
      ATELIER_LOG_LEVEL: "error",
      DATABASE_URL: gateway.database.url,
      ...more,
    });

  test("an unknown role is a usage error, and the message lists the known ones", async () => {
    const { code, err } = await collectOutput(serve(["--roles", "gateway,webhoks"]));
    assert.equal(code, 2, err);
    assert.match(err, /"webhoks", which is not a role; the roles are gateway, background, webhooks, engine/);
  });

  test("two processes without a gateway say that they are ready, listen only for probes, and leave together", async () => {
    const port = await freePort();
    const child = serve(["--roles", "background,webhooks", "--processes", "2"], {
      ATELIER_BASE_URL: "https://atelier.example",
      ATELIER_CONTENT_URL: "https://content.example",
      ATELIER_DRAIN_SECONDS: "1",
      ATELIER_DRAIN_NOTICE_SECONDS: "0",
      // Without a metrics port, probes use this one, on loopback.
      ATELIER_PORT: String(port),
    });
    const output = collectOutput(child);
    try {
      const statusAt = (at: number, path: string) =>
        fetch(`http://127.0.0.1:${at}${path}`).then(
          ({ status }) => status,
          () => 0,
        );
      for (const at of [port, port + 1])
        await until("it is ready", async () => (await statusAt(at, "/readyz")) === 200, 120);
      assert.deepEqual([await statusAt(port, "/v1/models"), await statusAt(port + 1, "/")], [404, 404]);
      const page = await (await fetch(`http://127.0.0.1:${port + 1}/metrics`)).text();
      assert.match(page, /^atelier_process_info\{roles="background,webhooks"\} 1$/m);
      child.kill("SIGTERM");
      const { code, out, err } = await output;
      assert.equal(code, 0, err);
      assert.match(out, new RegExp(`^ready http://127\\.0\\.0\\.1:${port} +\\(background, webhooks;`, "m"));
      await until("the other has left, too", async () => (await statusAt(port + 1, "/livez")) === 0);
    } finally {
      child.kill("SIGKILL");
    }
  });
});

describe("roles that make no sense are refused before anything happens", () => {
  const refused = async (own: Readonly<Record<string, string>>) => {
    const started = testApp({ beside: gateway, env: { ...env, ...own } });
    const thrown = await started.then(
      () => null,
      (error: unknown) => error,
    );
    assert.ok(thrown instanceof UsageProblem, String(thrown));
    return thrown.message;
  };

  test("without a gateway, where links would lead nowhere", async () => {
    assert.match(await refused({ ATELIER_ROLES: "background" }), /ATELIER_BASE_URL and ATELIER_CONTENT_URL/);
  });

  test("none at all", async () => {
    assert.match(await refused({ ATELIER_ROLES: "," }), /ATELIER_ROLES is empty; choose from gateway, background/);
  });
});
