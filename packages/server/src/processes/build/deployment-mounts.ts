// Which Host leads to which deployment, for a server that has many and for a process that is one.
import { operations } from "@atelier/contract";
import type { DeploymentId } from "../../capabilities/deployments/index.ts";
import type { Config } from "../../config.ts";
import type { ArrivalPolicy } from "../../foundation/http/loopback-guard.ts";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import { type DeploymentHosts, deploymentMount } from "../../surfaces/deployment-host.ts";

type MountOf = NonNullable<ArrivalPolicy["mountOf"]>;

// Names below the configured address; on loopback also below localhost, which every resolver that knows it answers
// with this machine.
export function deploymentAddresses(config: Pick<Config, "deploymentUrl" | "host">, port: number): string[] {
  const local = isLoopback(config.host) ? [`http://localhost:${port}`] : [];
  return config.deploymentUrl === null ? local : [config.deploymentUrl, ...local];
}

// An address that is the deployments' alone shows what lies below /deployment/ and nothing else.
export function mountOfHost(hosts: DeploymentHosts, reserved: string | null): MountOf {
  return (host, path) => {
    const id = hosts.idIn(host);
    if (id !== null) return deploymentMount(id);
    const isElse = reserved !== null && host.toLowerCase() === reserved && !path.startsWith("/deployment/");
    return isElse ? nobodysMount : null;
  };
}

// No id: whatever is asked below it is not there, behind the same guard and in the same envelope.
const nobodysMount = "/deployment/-";

// The host of the deployments' address, where nothing else of ours is reached under the same name.
export function reservedHost(config: Pick<Config, "deploymentUrl">, others: readonly string[]): string | null {
  if (config.deploymentUrl === null) return null;
  const { host } = new URL(config.deploymentUrl);
  return others.includes(host) ? null : host;
}

// A supervisor asks a process how it is, whatever the process serves.
const ownPaths: ReadonlySet<string> = new Set([
  operations.getHealth.path,
  operations.getLiveness.path,
  operations.getReadiness.path,
  operations.getMetrics.path,
]);

// The hosts of this listener (null: all) and the deployment's own name; the names of others are not its.
export function mountOfAll(id: DeploymentId, hosts: DeploymentHosts, own: ReadonlySet<string> | null): MountOf {
  const mount = deploymentMount(id);
  return (host, path) => {
    if (hosts.idIn(host) === id) return mount;
    return ownPaths.has(path) || (own !== null && !own.has(host.toLowerCase())) ? null : mount;
  };
}
