// The managed surface: the same keys and identity tokens as every other area, signed URLs that work without them, and a content
// endpoint that redirects there. A dedicated surface is the same value with a mount path or a separate host.

import { contentPath, type Surface, type WorkflowCaller } from "../areas/workflows/index.ts";
import type { Assets } from "../capabilities/assets/index.ts";
import { type Identity, type Principal, requireScope } from "../capabilities/identity/index.ts";
import type { PoolId } from "../capabilities/jobs/index.ts";
import type { Limits } from "../capabilities/limits/index.ts";
import { hostAddress, type PublicUrl } from "./host-address.ts";

export interface CloudDeps {
  readonly identity: Pick<Identity, "authenticate" | "watch">;
  readonly limits: Pick<Limits, "admit">;
  readonly assets: Pick<Assets, "sign">;
  // Without a trailing slash. Null to use the host that the caller used.
  readonly publicUrl: PublicUrl;
  readonly mountPath?: string;
  readonly poolId: PoolId;
  // Spec, v2 endpoints: a dedicated surface shows the graph it executed.
  readonly executedGraph?: boolean;
}

export function cloud(deps: CloudDeps): Surface {
  const mountPath = deps.mountPath ?? "";
  return {
    mountPath,
    poolId: deps.poolId,
    executedGraph: deps.executedGraph ?? false,
    hasCredits: true,
    authenticate(arrival) {
      const principal = deps.identity.authenticate(arrival);
      return principal instanceof Promise ? principal.then(admitted) : admitted(principal);
    },
    watch: (caller, lost) => (isPrincipal(caller) ? deps.identity.watch(caller, lost) : () => undefined),
    admit: (caller) => deps.limits.admit(caller.workspaceId, "workflow_and_registry"),
    links: {
      asset: (asset) => deps.assets.sign(asset),
      // Spec, Output: url_expires_at repeats the job's expiry; it is not the expiry of any signed URL.
      output: ({ assetId, jobExpiresAt }, arrival) => ({
        url: `${hostAddress(deps.publicUrl, arrival)}${mountPath}${contentPath(assetId)}`,
        expiresAt: jobExpiresAt,
      }),
    },
    async content(asset) {
      const { url } = deps.assets.sign(asset);
      return { status: 302, headers: { location: url, "cache-control": "no-store" } };
    },
  };
}

// Narrows to what authenticate returned.
const isPrincipal = (caller: WorkflowCaller): caller is Principal => "kind" in caller && "scopes" in caller;

function admitted(principal: Principal): Principal {
  requireScope(principal, "workflows");
  return principal;
}
