// A dedicated surface: the managed surface's keys and signed URLs, with its own queue and workers, one pinned environment, and
// the executed graph. It is addressed by a mount path or a host name; links keep the form that the caller used.
import type { Surface } from "../areas/workflows/index.ts";
import { type DeploymentId, type Deployments, poolOf } from "../capabilities/deployments/index.ts";
import { Fault } from "../foundation/fault.ts";
import { type CloudDeps, cloud } from "./cloud.ts";
import { deploymentMount } from "./deployment-host.ts";

export interface DeploymentLinkDeps extends Pick<CloudDeps, "identity" | "limits" | "assets" | "publicUrl"> {
  readonly deploymentId: DeploymentId;
  // True if the whole host belongs to the deployment, so that its paths have no prefix.
  readonly hasOwnHost: boolean;
}

export interface DeploymentDeps extends DeploymentLinkDeps {
  readonly deployments: Pick<Deployments, "find" | "requireOpen">;
}

// The managed surface at a deployment's URL: enough to present its jobs, to any caller.
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
    // Another workspace's deployment is answered like an unknown one.
    async admit(caller) {
      const found = await deployments.find(deploymentId);
      if (found === null || (found.workspaceId !== null && found.workspaceId !== caller.workspaceId))
        throw new Fault("not_found", "There is no such deployment.");
      await managed.admit(caller);
    },
    requireOpen: () => deployments.requireOpen(deploymentId),
  };
}
