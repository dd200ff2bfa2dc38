// Publishing to the registry: from the announcement of a version to the verdict on an archive of 10 MB, over HTTP, with the
// upload stored durably and checked in its child process. The archive is like a large pack: hundreds of sources, a frontend
// bundle, and pictures that do not compress.
import { randomBytes } from "node:crypto";
import { request } from "undici";
import { craftZip, manifestText, type ZipPart } from "../packages/server/test/support/craft-zip.ts";
import { type Call, calling } from "./calling.ts";
import { atMost, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier, tempFolder } from "./processes.ts";

const key = `service-${"bench".repeat(8)}`;
const archiveBytes = 10_000_000;
const secondsMax = 1.5;

export async function benchRegistryPublish(rounds: number): Promise<Finding[]> {
  using home = tempFolder("publish");
  await using server = await atelier(home.path, false, {
    env: {
      ATELIER_SANDBOX: "off",
      ATELIER_ENGINE_SLOTS: "0",
      ATELIER_BOOTSTRAP_KEY: key,
      ATELIER_LOG_LEVEL: "warn",
    },
  });
  const call = calling(server, key);
  await call("POST", "/publishers", { id: "bench", name: "Bench" });
  const cpu = watchCpu();
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const version = `1.${round}.0`;
    const seconds = await publish(call, version, archiveOf(version));
    // The first round starts the child and compiles the code.
    if (round > 0) times.push(seconds);
  }
  const { medianOf } = reportWith(cpu.foreignShare());
  return [medianOf("Registry: publish of a 10 MB archive with its checks", times, "s", atMost(secondsMax))];
}

async function publish(call: Call, version: string, archive: Buffer): Promise<number> {
  const began = performance.now();
  const path = "/publishers/bench/nodes/large-pack/versions";
  const { signedUrl } = await call<{ signedUrl: string }>("POST", path, { node_version: { version } });
  const answer = await request(signedUrl, { method: "PUT", body: archive });
  const text = await answer.body.text();
  const seconds = (performance.now() - began) / 1000;
  if (answer.statusCode !== 200 || !text.includes("NodeVersionStatusActive")) {
    throw new Error(`The archive was not published: ${answer.statusCode} ${text.slice(0, 500)}`);
  }
  return seconds;
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
