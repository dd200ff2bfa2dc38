// v2 assets over real HTTP: uploads, signed downloads, and whether time tells what others have. The server with its
// database is on one core and the generator on another.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssetServer, benchDownloads } from "./assets-downloads.ts";
import { benchEqualTime } from "./assets-equal-time.ts";
import { benchLargeUploads, benchSmallUploads } from "./assets-uploads.ts";
import type { Finding } from "./finding.ts";
import { atelier, startTransfer } from "./processes.ts";

export async function benchAssets(options: { rounds: number; requests: number }): Promise<Finding[]> {
  const { rounds, requests } = options;
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-assets-"));
  const adminToken = `admin-${randomBytes(32).toString("base64url")}`;
  const server = await atelier(home, true, { env: { ATELIER_ADMIN_TOKEN: adminToken } });
  const transfer = startTransfer();
  try {
    const key = /API key: +(\S+)/.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
    const site: AssetServer = { home, key, server, transfer };
    // The large ones last: afterwards the disk is busy writing them for a while.
    return [
      ...(await benchSmallUploads(site, rounds, 3000)),
      ...(await benchEqualTime(site, { adminToken, requests })),
      ...(await benchDownloads(site, rounds, 1500)),
      ...(await benchLargeUploads(site, rounds)),
    ];
  } finally {
    transfer.end();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
