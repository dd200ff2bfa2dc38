// A dedicated surface: the managed one's keys and signed URLs, with a queue and workers of its own, one pinned
// environment, and the executed graph. It is addressed by a mount path or by a host name of its own; the links of each
// form lead back to the same form.
import type { Surface } from "../areas/workflows/index.ts";
import { type DeploymentId, type Deployments, poolOf } from "../capabilities/deployments/index.ts";
import { Fault } from "../foundation/fault.ts";
import { type CloudDeps, cloud } from "./cloud.ts";
import { deploymentMount } from "./deployment-host.ts";

export interface DeploymentLinkDeps extends Pick<CloudDeps, "identity" | "limits" | "assets" | "publicUrl"> {
  readonly deploymentId: DeploymentId;
  // True: the whole host is the deployment's, and nothing stands before its paths.
  readonly hasOwnHost: boolean;
}

export interface DeploymentDeps extends DeploymentLinkDeps {
  readonly deployments: Pick<Deployments, "find" | "requireOpen">;
}

// As the managed surface at the address of a deployment: enough to present its jobs, to any caller.
export function deploymentLinks({ deploymentId, ...deps }: DeploymentLinkDeps): Surface {
  return cloud({
    ...deps,
    mountPath: deps.hasOwnHost ? "" : deploymentMount(deploymentId),
    poolId: poolOf(deploymentId),
    executedGraph: true,
  });
}

export function deployment(deps: DeploymentDeps): Surface {
  const { deploymentId, deployments } = deps;
  const managed = deploymentLinks(deps);
  return {
    ...managed,
    // Another workspace's deployment is told like an unknown one.
    async admit(caller) {
      const found = await deployments.find(deploymentId);
      if (found === null || (found.workspaceId !== null && found.workspaceId !== caller.workspaceId))
        throw new Fault("not_found", "There is no such deployment.");
      await managed.admit(caller);
    },
    requireOpen: () => deployments.requireOpen(deploymentId),
  };
}
