// Publishing to the registry: from the announcement of a version to the verdict on an archive of 10 MB, over HTTP, with the
// upload stored durably and checked in its child process. The archive is like a large pack: hundreds of sources, a frontend
// bundle, and pictures that do not compress.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool, request } from "undici";
import { craftZip, manifestText, type ZipPart } from "../packages/server/test/support/craft-zip.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { startUntilReady } from "./processes.ts";

const key = `service-${"bench".repeat(8)}`;
const archiveBytes = 10_000_000;
const secondsMax = 1.5;

export async function benchRegistryPublish(rounds: number): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-publish-"));
  const server = await startUntilReady(
    [process.execPath, "--conditions=atelier-source", "packages/cli/bin/atelier.mjs", "serve"],
    {
      env: {
        ATELIER_HOME: home,
        ATELIER_PORT: "0",
        ATELIER_SANDBOX: "off",
        ATELIER_ENGINE_SLOTS: "0",
        ATELIER_BOOTSTRAP_KEY: key,
        ATELIER_LOG_LEVEL: "warn",
      },
    },
  );
  const pool = new Pool(`http://127.0.0.1:${server.port}`);
  try {
    await post(pool, "/publishers", { id: "bench", name: "Bench" });
    const cpu = watchCpu();
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const version = `1.${round}.0`;
      const seconds = await publish(pool, version, archiveOf(version));
      // The first round starts the child and compiles the code.
      if (round > 0) times.push(seconds);
    }
    return [
      {
        name: "Registry: publish of a 10 MB archive with its checks",
        value: median(times),
        unit: "s",
        limit: { kind: "at most", value: secondsMax },
        rounds: times,
        foreignCpu: cpu.foreignShare(),
      },
    ];
  } finally {
    await pool.close();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function publish(pool: Pool, version: string, archive: Buffer): Promise<number> {
  const began = performance.now();
  const path = "/publishers/bench/nodes/large-pack/versions";
  const announced: unknown = await post(pool, path, { node_version: { version } });
  const url = Reflect.get(Object(announced), "signedUrl");
  const answer = await request(String(url), { method: "PUT", body: archive });
  const text = await answer.body.text();
  const seconds = (performance.now() - began) / 1000;
  if (answer.statusCode !== 200 || !text.includes("NodeVersionStatusActive")) {
    throw new Error(`The archive was not published: ${answer.statusCode} ${text.slice(0, 500)}`);
  }
  return seconds;
}

async function post(pool: Pool, path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await pool.request({ method: "POST", path, headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

// Fresh bytes for every round: equal ones would already be stored.
function archiveOf(version: string): Buffer {
  const declared = { publisherId: "bench", nodeId: "large-pack", version };
  const parts: ZipPart[] = [{ name: "pyproject.toml", bytes: manifestText(declared) }];
  for (let index = 0; index < 400; index++) {
    parts.push({ name: `nodes/node_${index}.py`, bytes: pythonSource(index) });
  }
  parts.push({ name: "web/bundle.js", bytes: javascriptSource() });
  const used = craftZip(parts).length;
  const pictures = 8;
  for (let index = 0; index < pictures; index++) {
    parts.push({
      name: `examples/picture_${index}.png`,
      bytes: randomBytes(Math.floor((archiveBytes - used) / pictures)),
    });
  }
  return craftZip(parts);
}

function pythonSource(index: number): string {
  const method = (name: number) => `
    def run_${name}(self, image, strength=${name}.5):
        """Applies step ${name}; does not eval(anything)."""
        result = self.model.eval()  # not exec(code)
        names = [f"{entry.name}:{entry.value}" for entry in self.entries if entry.value > strength]
        return (torch.clamp(image * strength + ${index}, 0.0, 1.0), ",".join(names))
`;
  const methods = Array.from({ length: 20 }, (_, name) => method(name)).join("");
  return `import torch\n\nclass Node${index}:\n    CATEGORY = "bench"\n${methods}`;
}

function javascriptSource(): string {
  const line = (index: number) =>
    `const handler${index}=(event)=>{const value=event.detail?.value??${index};return \`\${value}px\`.replace(/px$/,"")};\n`;
  return Array.from({ length: 12_000 }, (_, index) => line(index)).join("");
}
