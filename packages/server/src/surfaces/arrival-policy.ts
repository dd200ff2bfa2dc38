import { operations } from "@atelier/contract";
import { hostsOf, isLoopback } from "../foundation/http/loopback-guard.ts";

export interface ArrivalSettings
  extends Readonly<Record<"baseUrl" | "cloudUrl" | "deploymentUrl" | "platformUrl", string | null>> {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
}

// Decisions, section 1: unknown Hosts get 421 on every loopback listener. Beyond loopback, the names of the public URLs are
// enforced once any is set. Kubernetes and load balancers probe by the machine's address.
export function arrivalPolicy(
  config: ArrivalSettings,
  names: readonly string[],
  port: number,
  urls: readonly (() => string)[],
) {
  const own = hostsOf(names, port);
  const configured = [config.baseUrl, config.cloudUrl, config.deploymentUrl, config.platformUrl].filter(
    (url) => url !== null,
  );
  const publicHosts = [...urls.map((url) => url()), ...configured].map((url) => new URL(url).host);
  const isGuarded = isLoopback(config.host);
  const hasList = isGuarded || configured.length > 0 || config.allowedHosts.length > 0;
  const origins = [
    ...own.map((host) => `http://${host}`),
    ...configured.map((url) => new URL(url).origin),
    ...config.corsOrigins,
  ];
  return {
    hosts: hasList ? new Set([...own, ...publicHosts, ...config.allowedHosts.map((host) => host.toLowerCase())]) : null,
    origins: isGuarded ? new Set(origins) : null,
    openPaths: new Set<string>([operations.getBadges.path]),
    probePaths: new Set<string>(isGuarded ? [] : [operations.getLiveness.path, operations.getReadiness.path]),
  };
}
