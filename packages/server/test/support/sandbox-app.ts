// Whole apps with one sandbox between them: what the providers of several processes have in common is the provider.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SpawnedSandbox, sandboxModels, spawnSandbox } from "@atelier/sandbox";
import { request } from "undici";
import { sandboxDefinition } from "../../src/processes/run-sandbox.ts";
import { raiseRates } from "./app-people.ts";
import { type TestApp, type TestAppOptions, testApp } from "./test-app.ts";

export interface SandboxApps {
  readonly sandbox: SpawnedSandbox;
  open(options?: TestAppOptions): Promise<TestApp>;
  // How often the sandbox worked, in all.
  runs(): Promise<number>;
  reference(callId: string): Promise<{ runs: number; request_sha256: string } | null>;
  close(): Promise<void>;
}

export async function sandboxApps(): Promise<SandboxApps> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-providers-"));
  const sandbox = await spawnSandbox();
  const file = join(folder, "sandbox.json");
  await writeFile(file, JSON.stringify(sandboxDefinition(sandbox.url, sandboxModels, { kind: "none" })));
  const apps: TestApp[] = [];
  const read = async (path: string) => {
    const answer = await request(`${sandbox.url}${path}`);
    return { status: answer.statusCode, value: (await answer.body.json()) as Record<string, unknown> };
  };
  return {
    sandbox,
    async open(options = {}) {
      const app = await testApp({ ...options, env: { ATELIER_PROVIDERS: file, ...options.env } });
      await raiseRates(app, app.workspaceId);
      apps.push(app);
      return app;
    },
    async runs() {
      return Number((await read("/v1/stats")).value["runs"]);
    },
    async reference(callId) {
      const { status, value } = await read(`/v1/references/${callId}`);
      return status === 200 ? { runs: Number(value["runs"]), request_sha256: String(value["request_sha256"]) } : null;
    },
    async close() {
      for (const app of apps.reverse()) await app.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
