// Who the proxy answers: this machine, under its own names or those that the operator's TLS proxy on this machine uses, and no
// web page except those listed (decisions, section 6).
import { type ArrivalPolicy, hostsOf, loopbackNames } from "../foundation/http/loopback-guard.ts";
import { UsageProblem } from "../foundation/settings.ts";
import type { ArrivalSettings } from "./arrival-policy.ts";

export function proxyPolicy(
  config: Pick<ArrivalSettings, "allowedHosts" | "baseUrl" | "corsOrigins">,
  port: number,
): ArrivalPolicy {
  const own = hostsOf(loopbackNames, port);
  const known = config.baseUrl === null ? [] : [new URL(config.baseUrl)];
  const hosts = [...own, ...known.map((url) => url.host), ...config.allowedHosts.map((host) => host.toLowerCase())];
  const origins = [...own.map((host) => `http://${host}`), ...known.map((url) => url.origin), ...config.corsOrigins];
  return { hosts: new Set(hosts), origins: new Set(origins), openPaths: new Set(), isProgramsOnly: true };
}

// Both loopback addresses are always used together. Any other address is refused, and no setting changes that.
export function requireLoopback(host: string): void {
  if (loopbackNames.some((name) => name === host)) return;
  throw new UsageProblem([
    `The proxy only listens on 127.0.0.1 and ::1, not on "${host}". For remote callers, put a TLS proxy on this machine in front of it and add its name to ATELIER_ALLOWED_HOSTS.`,
  ]);
}
