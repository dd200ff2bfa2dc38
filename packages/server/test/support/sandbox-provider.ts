// The sandbox as an ordinary provider of apps and server processes: a separate process, a definition file that names it,
// and its counters. It outlives its callers, so it is the witness of what really ran.
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SpawnedSandbox, sandboxModels, spawnSandbox } from "@atelier/sandbox";
import { Agent, request } from "undici";
import type { ProviderDefinition } from "../../src/capabilities/providers/index.ts";
import { sandboxDefinition } from "../../src/capabilities/providers/index.ts";

export interface SandboxReference {
  readonly runs: number;
  readonly status: string;
  readonly request_sha256: string;
  // The hash of the recorded answer. Null if there is none yet.
  readonly response_sha256: string | null;
}

export interface SandboxProvider {
  readonly sandbox: SpawnedSandbox;
  readonly definition: ProviderDefinition;
  // The file with the definition, for ATELIER_PROVIDERS.
  readonly file: string;
  // Another definition file in the same folder.
  write(name: string, definition: ProviderDefinition): Promise<string>;
  // How many times the sandbox worked, in all.
  runs(): Promise<number>;
  // What it knows about one call. Null if it never heard of it.
  reference(callId: string): Promise<SandboxReference | null>;
  close(): Promise<void>;
}

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

export async function sandboxProvider(): Promise<SandboxProvider> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-providers-"));
  const sandbox = await spawnSandbox();
  const agent = new Agent({ connections: 32 });
  const definition = sandboxDefinition(sandbox.url, sandboxModels, { kind: "none" });
  const write = async (name: string, one: ProviderDefinition) => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(one));
    return file;
  };
  const read = async (path: string) => {
    const answer = await request(`${sandbox.url}${path}`, { dispatcher: agent });
    return { status: answer.statusCode, value: (await answer.body.json()) as Record<string, unknown> };
  };
  return {
    sandbox,
    definition,
    file: await write("sandbox", definition),
    write,
    async runs() {
      return Number((await read("/v1/stats")).value["runs"]);
    },
    async reference(callId) {
      const { status, value } = await read(`/v1/references/${callId}`);
      if (status !== 200) return null;
      const response = value["response"];
      const body: unknown =
        typeof response === "object" && response !== null ? Reflect.get(response, "body_base64") : null;
      return {
        runs: Number(value["runs"]),
        status: String(value["status"]),
        request_sha256: String(value["request_sha256"]),
        response_sha256: typeof body === "string" ? sha256Of(Buffer.from(body, "base64")) : null,
      };
    },
    async close() {
      await agent.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
