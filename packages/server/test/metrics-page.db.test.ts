// GET /metrics of a whole server, read as Prometheus reads it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import { lintMetrics } from "./support/metrics-lint.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let page = "";
before(async () => {
  app = await testApp();
  await app.call({ path: "/health" });
  const headers = { authorization: `Bearer ${app.adminToken}` };
  page = await (await fetch(`${app.baseUrl}/metrics`, { headers })).text();
});
after(() => app.close());

test("on its own port it needs no credential, answers probes, and serves nothing else", async () => {
  const beside = await testApp({ beside: app, env: { ATELIER_METRICS_PORT: "0" } });
  try {
    const at = (path: string) => fetch(`http://127.0.0.1:${beside.monitoringPort}${path}`);
    const own = await at("/metrics");
    assert.equal(own.status, 200);
    assert.match(await own.text(), /^atelier_build_info\{version="\d+\.\d+\.\d+[^"]*",node="v\d+[^"]*"\} 1$/m);
    assert.deepEqual([(await at("/livez")).status, (await at("/readyz")).status], [200, 200]);
    for (const path of ["/", "/health", "/account/profile", "/admin/checks", "/v1/models", "/openapi.json"])
      assert.equal((await at(path)).status, 404, path);
    assert.equal((await fetch(`${beside.baseUrl}/metrics`)).status, 401);
  } finally {
    await beside.close();
  }
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test("every metric is described, typed and named as Prometheus asks", () => {
  assert.deepEqual(lintMetrics(page), []);
  assert.match(page, /^# TYPE process_cpu_seconds_total counter$/m);
  assert.match(page, /^# TYPE atelier_node_seconds histogram$/m);
  assert.match(page, /^# TYPE atelier_node_cache_hits_total counter$/m);
  assert.match(page, /^process_cpu_seconds_total \d+\.\d+$/m);
});

test("promtool accepts the page without a warning", { skip: !hasPromtool }, () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: page, encoding: "utf8" });
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
});

test("a page that breaks a rule is found", () => {
  const said = lintMetrics("# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n# TYPE b_ms counter\nb_ms 1\nc 1\n");
  assert.deepEqual(said, [
    "c has no type",
    "a_total is no counter and ends in _total",
    "b_ms has no description",
    "b_ms is a counter and does not end in _total",
    "b_ms is in no base unit",
  ]);
});
