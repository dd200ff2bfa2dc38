// Maps Hosts to deployments, for a server that has many and for a process that serves one.
import { operations } from "@atelier/contract";
import type { DeploymentId } from "../capabilities/deployments/index.ts";
import { type ArrivalPolicy, isLoopback } from "../foundation/http/loopback-guard.ts";
import { type DeploymentHosts, deploymentMount } from "./deployment-host.ts";

type MountOf = NonNullable<ArrivalPolicy["mountOf"]>;

export interface DeploymentUrlSettings {
  readonly deploymentUrl: string | null;
  // Where the server listens.
  readonly host: string;
}

// Names below the configured URL. On loopback also below localhost, which resolvers that know it map to this machine.
export function deploymentAddresses(config: DeploymentUrlSettings, port: number): string[] {
  const local = isLoopback(config.host) ? [`http://localhost:${port}`] : [];
  return config.deploymentUrl === null ? local : [config.deploymentUrl, ...local];
}

// A host reserved for deployments serves only what is below /deployment/.
export function mountHost(hosts: DeploymentHosts, reserved: string | null): MountOf {
  return (host, path) => {
    const id = hosts.idIn(host);
    if (id !== null) return deploymentMount(id);
    const isElse = reserved !== null && host.toLowerCase() === reserved && !path.startsWith("/deployment/");
    return isElse ? nobodysMount : null;
  };
}

// Not a valid id: everything below it is not found, behind the same guard and in the same envelope.
const nobodysMount = "/deployment/-";

// The host of the deployments' URL, unless other parts of the server use the same name.
export function reservedHost(
  config: Pick<DeploymentUrlSettings, "deploymentUrl">,
  others: readonly string[],
): string | null {
  if (config.deploymentUrl === null) return null;
  const { host } = new URL(config.deploymentUrl);
  return others.includes(host) ? null : host;
}

// A supervisor checks the process's health, whatever the process serves.
const ownPaths: ReadonlySet<string> = new Set([
  operations.getHealth.path,
  operations.getLiveness.path,
  operations.getReadiness.path,
  operations.getMetrics.path,
]);

// This listener's hosts (null: all) and the deployment's own name, but not the names of other deployments. With `hasWorkers`
// it also answers the workers that the process starts.
export function mountAll(
  id: DeploymentId,
  hosts: DeploymentHosts,
  own: ReadonlySet<string> | null,
  hasWorkers = false,
): MountOf {
  const mount = deploymentMount(id);
  return (host, path) => {
    if (hosts.idIn(host) === id) return mount;
    const isOwn = ownPaths.has(path) || (hasWorkers && path.startsWith("/api/workers/"));
    return isOwn || (own !== null && !own.has(host.toLowerCase())) ? null : mount;
  };
}
