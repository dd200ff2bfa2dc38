// The Python SDK that others published, unmodified, against our managed surface with the dialect: the flows that failed
// without it. `npm run test:long -- clients` installs the SDK and runs every flow; this test is skipped if it is not installed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";

const root = join(import.meta.dirname, "../../..");
const folder = process.env["ATELIER_TEST_CLIENTS"] ?? join(root, "node_modules/.cache/atelier-clients");
const python = join(folder, "python/bin/python");
const skip = existsSync(python) ? false : `no Python SDK in ${folder}: npm run test:long -- clients installs it`;
const words = ["metadata", "list_jobs", "api_key", "request id", "models.run"];

test("the public Python SDK labels, lists, passes a key, runs models and reports request ids", { skip }, async () => {
  const apps: SandboxApps = await sandboxApps();
  try {
    const app = await apps.open({ env: { ATELIER_DIALECT: "comfy" } });
    const { stdout } = await promisify(execFile)(python, [join(root, "scripts/clients/python-flows.py")], {
      timeout: 900_000,
      env: {
        PATH: process.env["PATH"] ?? "",
        FLOWS_SURFACE: "cloud",
        FLOWS_WORDS: words.join(","),
        COMFY_BASE_URL: app.baseUrl,
        COMFY_ROUTER_BASE_URL: app.baseUrl,
        COMFY_API_KEY: app.key,
      },
    });
    const flows: unknown[] = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    assert.ok(flows.length >= words.length, stdout);
    assert.deepEqual(
      flows.filter((flow) => Reflect.get(Object(flow), "ok") !== true),
      [],
    );
  } finally {
    await apps.close();
  }
});
