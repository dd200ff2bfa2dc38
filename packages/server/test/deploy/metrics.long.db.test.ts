// Alert rules and the dashboard use only metrics that a running server has, and leave out none that operators should
// watch.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type TestApp, testApp } from "../support/test-app.ts";

const root = join(import.meta.dirname, "../../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = ["deploy/prometheus/alerts.yaml", "deploy/grafana/atelier.json"];
let app: TestApp;
let page = "";
before(async () => {
  app = await testApp({ env: { ATELIER_METRICS_PORT: "0" } });
  page = await (await fetch(`http://127.0.0.1:${app.monitoringPort}/metrics`)).text();
});
after(() => app.close());

const namesIn = (text: string) => new Set(text.match(/\b(?:atelier|process|nodejs)_[a-z0-9_]+\b/g) ?? []);

// A histogram is on the page under its own name, with three series.
function isOnPage(name: string): boolean {
  const type = (each: string) => new RegExp(`^# TYPE ${each} (\\w+)$`, "m").exec(page)?.[1];
  const whole = name.replace(/_(bucket|sum|count)$/, "");
  return type(name) !== undefined || (whole !== name && type(whole) === "histogram");
}

for (const path of files)
  test(`every metric in ${path} is on the metrics page of a server`, () => {
    const names = [...namesIn(read(path))];
    assert.ok(names.length > 15, names.join(" "));
    assert.deepEqual(
      names.filter((name) => !isOnPage(name)),
      [],
    );
    assert.equal(isOnPage("atelier_no_such_metric"), false);
  });

test("every metric that the operations guide says to watch is in one of them", () => {
  const table = read("docs/MONITORING.md").split("### What to watch")[1]?.split("\n###")[0] ?? "";
  const watched = namesIn(table);
  assert.ok(watched.size > 20);
  const shown = new Set(files.flatMap((path) => [...namesIn(read(path))]));
  const isShown = (name: string) => shown.has(name) || shown.has(`${name}_bucket`);
  assert.deepEqual(
    [...watched].filter((name) => !isShown(name)),
    [],
  );
});
