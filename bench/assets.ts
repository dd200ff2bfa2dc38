// v2 assets over real HTTP: uploads, signed downloads, and whether timing reveals what others have. The server with its database
// is on one core and the generator on another. Each part has a time limit: one that exceeds it is reported as missed, and the
// others are measured all the same.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AssetServer, benchDownloads } from "./assets-downloads.ts";
import { benchEqualTime } from "./assets-equal-time.ts";
import { benchLargeUploads, benchSmallUploads } from "./assets-uploads.ts";
import { liftLimits } from "./calling.ts";
import { atMost, type Finding, reportWith } from "./finding.ts";
import { type PhaseLimit, phaseLimit } from "./phase-limit.ts";
import { atelier, startTransfer, tempFolder } from "./processes.ts";

export interface AssetsOptions {
  readonly rounds: number;
  // Of each kind, for the timing comparison.
  readonly requests: number;
  readonly smallMs: number;
  readonly downloadMs: number;
  // The size of a large upload.
  readonly mebibytes: number;
  readonly secondsEach: number;
}

export const wholeAssets: AssetsOptions = {
  rounds: 3,
  requests: 400,
  smallMs: 3_000,
  downloadMs: 700,
  mebibytes: 1024,
  secondsEach: 90,
};

export const quickAssets: AssetsOptions = {
  rounds: 1,
  requests: 100,
  smallMs: 1_000,
  downloadMs: 400,
  mebibytes: 512,
  secondsEach: 25,
};

export async function benchAssets(options: AssetsOptions): Promise<Finding[]> {
  using folder = tempFolder("assets");
  const home = folder.path;
  const adminToken = `admin-${randomBytes(32).toString("base64url")}`;
  await using server = await atelier(home, true, { env: { ATELIER_ADMIN_TOKEN: adminToken } });
  using transfer = startTransfer();
  const key = /API key: +(\S+)/.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
  const site: AssetServer = { home, key, server, transfer };
  // We measure the server, not its limit of a hundred requests a second per workspace.
  await liftLimits(server, key, adminToken, ["workflow_and_registry_requests_per_minute"]);
  // The large ones last: afterwards the disk is busy writing them for a while.
  const parts: readonly [string, (limit: PhaseLimit) => Promise<Finding[]>][] = [
    ["small uploads", (limit) => benchSmallUploads(site, options, limit)],
    ["equal time", (limit) => benchEqualTime(site, { ...options, adminToken }, limit)],
    ["downloads", (limit) => benchDownloads(site, options, limit)],
    ["large uploads", (limit) => benchLargeUploads(site, options, limit)],
  ];
  const findings: Finding[] = [];
  for (const [name, measure] of parts) findings.push(...(await withinTime(name, options.secondsEach, measure)));
  return findings;
}

async function withinTime(
  name: string,
  seconds: number,
  measure: (limit: PhaseLimit) => Promise<Finding[]>,
): Promise<Finding[]> {
  const began = performance.now();
  try {
    return await measure(phaseLimit(`The measurement of ${name}`, seconds));
  } catch (thrown) {
    process.stderr.write(`assets, ${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    const value = (performance.now() - began) / 1000 + seconds;
    return [reportWith(null).one(`assets: ${name} could not be measured`, value, "s", atMost(seconds))];
  } finally {
    process.stderr.write(`assets, ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
  }
}
