// Our traces in the real OpenTelemetry Collector, as it prints them: its own word that it accepts them, not ours.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../support/free-port.ts";
import { invokeOn } from "../support/router-calls.ts";
import { sandboxApps } from "../support/sandbox-app.ts";
import { until } from "../support/server-process.ts";

const skip = spawnSync("otelcol", ["--version"]).status !== 0 && "this machine has no otelcol";

test("the OpenTelemetry Collector accepts our spans, with the right ids, parents, kinds, times and attributes", {
  skip,
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-collector-"));
  const port = await freePort();
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { debug: { verbosity: "detailed" } },
    service: {
      telemetry: { metrics: { level: "none" } },
      pipelines: { traces: { receivers: ["otlp"], exporters: ["debug"] } },
    },
  };
  // JSON is YAML.
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const collector = spawn("otelcol", ["--config", join(folder, "config.yaml")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  collector.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const apps = await sandboxApps();
  try {
    await until("the collector listens", () => said.includes("Everything is ready") || collector.exitCode !== null);
    assert.equal(collector.exitCode, null, said);
    const app = await apps.open({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const input = { prompt: "x", width: 64, height: 64 };
    assert.equal((await invokeOn(app, "sandbox/image-1", input, { traceparent })).status, 200);
    // One block per span, as the debug exporter writes them.
    const spans = await until("both spans came", () => {
      const found = said.split(/^Span #\d+$/m).filter((text) => text.includes("4bf92f3577b34da6a3ce929d0e0e4736"));
      return found.length === 2 ? found : null;
    });
    const member = (span: string | undefined, name: string) =>
      new RegExp(`^ *${name} +: (.*)$`, "m").exec(span ?? "")?.[1]?.trim();
    const request = spans.find((span) => member(span, "Kind") === "Server");
    const call = spans.find((span) => member(span, "Kind") === "Client");
    assert.equal(member(request, "Parent ID"), "00f067aa0ba902b7");
    assert.equal(member(call, "Parent ID"), member(request, "ID"));
    assert.deepEqual(
      [member(request, "Name"), member(call, "Name")],
      ["POST /v1/models/{provider}/{model}", "call sandbox/image-1"],
    );
    assert.match(request ?? "", /http\.response\.status_code: Int\(200\)/);
    assert.match(call ?? "", /atelier\.outcome: Str\(succeeded\)/);
    const [start, end] = ["Start time", "End time"].map((name) =>
      Date.parse((member(call, name) ?? "").replace(/^(\S+) (\S+) .*$/, "$1T$2Z")),
    );
    assert.ok(start !== undefined && end !== undefined && start <= end, call ?? "");
    assert.match(said, /service\.name: Str\(atelier\)/);
  } finally {
    await apps.close();
    const ended = collector.exitCode === null ? once(collector, "exit") : null;
    collector.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
});
