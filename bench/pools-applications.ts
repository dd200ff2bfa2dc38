// A child process with many applications: stand-ins that compute nothing and take exactly as long as asked.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandboxApplication } from "@atelier/sandbox";

export interface ApplicationsOrder {
  readonly count: number;
  readonly latencyMs: number;
}

process.once("message", async (order: ApplicationsOrder) => {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-applications-"));
  process.once("exit", () => rmSync(home, { recursive: true, force: true }));
  const urls: string[] = [];
  for (let index = 0; index < order.count; index += 1) {
    const application = await startSandboxApplication({ home: join(home, String(index)), latencyMs: order.latencyMs });
    urls.push(application.url);
  }
  process.send?.(urls);
});
process.on("disconnect", () => process.exit(0));
