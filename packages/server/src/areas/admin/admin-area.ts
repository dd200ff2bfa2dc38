import type { Deployments } from "../../capabilities/deployments/index.ts";
import type { Environments } from "../../capabilities/environments/index.ts";
import type { AdminCaller, AdminTokens } from "../../capabilities/tokens/index.ts";
import { type Area, area, type DepsOf, routesOf } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import * as adminTokens from "./admin-tokens.route.ts";
import * as credits from "./credits.route.ts";
import * as deploymentRecords from "./deployments.route.ts";
import * as environments from "./environments.route.ts";
import * as backups from "./installation/backups.route.ts";
import * as figures from "./installation/figures.route.ts";
import * as providerDefinitions from "./installation/provider-definitions.route.ts";
import * as settings from "./installation/settings.route.ts";
import * as audit from "./list-audit-entries.route.ts";
import * as backgroundWork from "./list-background-work.route.ts";
import * as providerHealth from "./list-provider-health.route.ts";
import * as refusedCredentials from "./list-refused-credentials.route.ts";
import * as people from "./people.route.ts";
import * as pools from "./pools.route.ts";
import * as providers from "./providers.route.ts";
import * as checks from "./run-checks.route.ts";
import * as selling from "./selling/selling.route.ts";
import * as serverCredentials from "./server-credentials.route.ts";
import * as serverRoutes from "./server-routes.route.ts";
import * as weights from "./weights.route.ts";
import * as workerTokens from "./worker-tokens.route.ts";
import * as workspaceLimits from "./workspace-limits.route.ts";
import * as workspaceModels from "./workspace-models.route.ts";
import * as workspaces from "./workspaces.route.ts";

// The route files whose handlers take what the area is given, as it is.
const files = [
  ...[adminTokens, audit, checks, backgroundWork, backups, settings, figures, refusedCredentials, people, selling],
  ...[workspaces, workspaceLimits, workspaceModels, credits, serverRoutes, providerHealth, environments, weights],
] as const;

export interface AdminAreaDeps extends DepsOf<typeof files> {
  readonly tokens: AdminTokens;
  readonly providers: providers.ProviderRouteDeps &
    serverCredentials.ServerCredentialDeps &
    providerDefinitions.ProviderDefinitionDeps;
  readonly deployments: Omit<deploymentRecords.DeploymentRouteDeps, "cursors" | "hasLock" | "deployments"> & {
    readonly deployments: deploymentRecords.DeploymentRouteDeps["deployments"] &
      Pick<Deployments, "problemsOf" | "pins" | "scaling">;
  };
  readonly environments: environments.EnvironmentRouteDeps["environments"] & Pick<Environments, "hasLock">;
  readonly workers: Omit<workerTokens.WorkerTokenRouteDeps, "deployments">;
}

export function adminArea(deps: AdminAreaDeps): Area {
  const { deployments } = deps.deployments;
  const hasLock = (lockId: string) => deps.environments.hasLock(lockId);
  return area<AdminCaller>({
    name: "admin",
    prefixes: ["/admin"],
    authenticate: (arrival) => deps.tokens.authenticate(arrival),
    envelope: genericEnvelope,
    cors: "listed",
    routes: [
      ...routesOf(deps, ...files),
      ...routesOf(deps.providers, providers, providerDefinitions, serverCredentials),
      ...routesOf({ ...deps.deployments, cursors: deps.cursors, hasLock }, deploymentRecords),
      ...routesOf({ ...deps.workers, deployments }, workerTokens),
      ...routesOf({ deployments, hasLock, sharedPool: deps.workers.sharedPool }, pools),
    ],
  });
}
