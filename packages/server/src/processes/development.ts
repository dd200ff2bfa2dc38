// Whether a server is a personal one on one machine, or meant for others. This function decides every default that differs
// (docs/OPERATIONS.md has the table). The listen address is not enough: behind a TLS proxy on the same machine a server listens
// on loopback too, but then it has a public URL.
import type { Config } from "../config.ts";
import { isLoopback } from "../foundation/http/loopback-guard.ts";
import { UsageProblem } from "../foundation/settings.ts";

const publicAddresses = ["baseUrl", "cloudUrl", "deploymentUrl", "platformUrl", "contentUrl"] as const;

export type Reach = Pick<Config, "host"> & Partial<Pick<Config, (typeof publicAddresses)[number]>>;

export function isDevelopment(config: Reach): boolean {
  return isLoopback(config.host) && publicAddresses.every((name) => isOfThisMachine(config[name] ?? null));
}

function isOfThisMachine(url: string | null): boolean {
  if (url === null) return true;
  const name = new URL(url).hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name);
}

export function requireDevelopmentTargets(config: Reach & Pick<Config, "webhookTargets">): void {
  if (config.webhookTargets.length > 0 && !isDevelopment(config)) {
    throw new UsageProblem([
      "ATELIER_WEBHOOK_TARGETS is for development on one machine: this server listens beyond loopback, or has a public URL (ATELIER_BASE_URL or a similar setting). To allow a private network, use ATELIER_EGRESS_ALLOW.",
    ]);
  }
}

// Warnings for the operator of a public server at start, as sentences.
export function reachWarnings(config: Reach & Pick<Config, "trustProxy">): string[] {
  if (isDevelopment(config)) return [];
  const isBehindProxy = isLoopback(config.host);
  const says = (name: (typeof publicAddresses)[number]) => (config[name] ?? null) !== null;
  return [
    ...(!isBehindProxy && !says("baseUrl")
      ? ["listening beyond loopback: put TLS in front, and set ATELIER_BASE_URL"]
      : []),
    ...(says("contentUrl")
      ? []
      : [
          "signed URLs use an address that others may not reach: set ATELIER_CONTENT_URL to the content origin's public URL",
        ]),
    ...(isBehindProxy && config.trustProxy.length === 0
      ? ["every caller appears to be the proxy: set ATELIER_TRUST_PROXY to its address, such as 127.0.0.1/32,::1/128"]
      : []),
  ];
}
