// Checks that the proxy's port is free before anything is created: a start that must fail creates no database first, and says
// what holds the port if it can tell.

import { tryPort } from "../foundation/home/who-listens.ts";
import { UsageProblem } from "../foundation/settings.ts";
import { askProxyHealth } from "./proxy-health.ts";

const addresses = ["127.0.0.1", "::1"] as const;
const askMs = 1_000;

// Port 0 is always free.
export async function requireFreePort(port: number): Promise<void> {
  if (port === 0) return;
  for (const host of addresses) {
    // The start itself reports everything else (no IPv6, a port that needs privileges).
    if ((await tryPort(host, port)) !== "EADDRINUSE") continue;
    const other = (await askProxyHealth(`http://127.0.0.1:${port}`, askMs)).upstream;
    const who = other === null ? "another program" : `another proxy, in front of ${other}`;
    throw new UsageProblem([
      `Port ${port} on ${host} is in use by ${who}. Choose another with --proxy-port, or stop that program.`,
    ]);
  }
}
