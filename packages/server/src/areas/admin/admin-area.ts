// The operators' area: everything below /admin, including unknown paths, answers only operators, by admin token or as people.
import type { Audit } from "../../capabilities/audit/index.ts";
import type { Credits } from "../../capabilities/calls/index.ts";
import type { Deployments } from "../../capabilities/deployments/index.ts";
import type { Environments } from "../../capabilities/environments/index.ts";
import type { Operators } from "../../capabilities/identity/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { AdminCaller, AdminTokens } from "../../capabilities/tokens/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import type { Database } from "../../foundation/database/index.ts";
import { type Area, area } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { adminTokenRoutes } from "./admin-tokens.route.ts";
import { creditRoutes } from "./credits.route.ts";
import { type DeploymentRouteDeps, deploymentRoutes } from "./deployments.route.ts";
import { type EnvironmentRouteDeps, environmentRoutes } from "./environments.route.ts";
import { type BackupsDeps, backupRoutes } from "./installation/backups.route.ts";
import { type FigureDeps, figureRoutes } from "./installation/figures.route.ts";
import { type ProviderDefinitionDeps, providerDefinitionRoutes } from "./installation/provider-definitions.route.ts";
import { listSettingsRoute, type SettingsDeps } from "./installation/settings.route.ts";
import { listAuditEntriesRoute } from "./list-audit-entries.route.ts";
import { type BackgroundWorkDeps, listBackgroundWorkRoute } from "./list-background-work.route.ts";
import { listProviderHealthRoute, type ProviderHealthDeps } from "./list-provider-health.route.ts";
import { listRefusedCredentialsRoute, type RefusedCredentialsDeps } from "./list-refused-credentials.route.ts";
import { type PeopleDeps, peopleRoutes } from "./people.route.ts";
import { poolRoutes } from "./pools.route.ts";
import { type ProviderRouteDeps, providerRoutes } from "./providers.route.ts";
import { type ChecksDeps, runChecksRoute, type TestMailDeps, testMailRoute } from "./run-checks.route.ts";
import { type SellingAdminDeps, sellingRoutes } from "./selling/selling.route.ts";
import { type ServerCredentialDeps, serverCredentialRoutes } from "./server-credentials.route.ts";
import { type ServerRouteDeps, serverRouteRoutes } from "./server-routes.route.ts";
import { type WeightRouteDeps, weightRoutes } from "./weights.route.ts";
import { type WorkerTokenRouteDeps, workerTokenRoutes } from "./worker-tokens.route.ts";
import { type ModelLimitDeps, modelLimitRoutes, workspaceLimitRoutes } from "./workspace-limits.route.ts";
import { type WorkspaceModelsDeps, workspaceModelRoutes } from "./workspace-models.route.ts";
import { type AdminWorkspaces, workspaceRoutes } from "./workspaces.route.ts";

export interface AdminAreaDeps
  extends BackgroundWorkDeps,
    BackupsDeps,
    ChecksDeps,
    FigureDeps,
    RefusedCredentialsDeps,
    SettingsDeps,
    TestMailDeps {
  readonly database: Database;
  readonly tokens: AdminTokens;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly credits: Credits;
  readonly callLimits: ModelLimitDeps["callLimits"];
  readonly workspaces: AdminWorkspaces;
  readonly operators: Pick<Operators, "list" | "roleOf" | "set">;
  readonly personalData: PeopleDeps["personalData"];
  readonly entitlements: WorkspaceModelsDeps["entitlements"];
  readonly providers: ProviderRouteDeps & ServerCredentialDeps & ProviderDefinitionDeps;
  readonly routes: ServerRouteDeps["routes"];
  readonly health: ProviderHealthDeps["health"];
  readonly deployments: Omit<DeploymentRouteDeps, "cursors" | "hasLock" | "deployments"> & {
    readonly deployments: DeploymentRouteDeps["deployments"] & Pick<Deployments, "problemsOf" | "pins" | "scaling">;
  };
  readonly environments: EnvironmentRouteDeps["environments"] & Pick<Environments, "hasLock">;
  readonly workers: Omit<WorkerTokenRouteDeps, "deployments">;
  readonly weights: WeightRouteDeps["weights"];
  readonly fills: WeightRouteDeps["fills"];
  readonly selling: SellingAdminDeps["selling"];
  readonly cursors: Cursors;
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
      ...adminTokenRoutes(deps),
      listAuditEntriesRoute(deps),
      runChecksRoute(deps),
      listBackgroundWorkRoute(deps),
      ...backupRoutes(deps),
      listSettingsRoute(deps),
      ...figureRoutes(deps),
      listRefusedCredentialsRoute(deps),
      testMailRoute(deps),
      ...peopleRoutes(deps),
      ...workspaceRoutes(deps),
      ...workspaceLimitRoutes(deps),
      ...modelLimitRoutes(deps),
      ...creditRoutes(deps),
      ...providerRoutes(deps.providers),
      ...providerDefinitionRoutes(deps.providers),
      ...serverCredentialRoutes(deps.providers),
      ...sellingRoutes(deps),
      ...workspaceModelRoutes(deps),
      ...serverRouteRoutes(deps),
      listProviderHealthRoute(deps),
      ...deploymentRoutes({ ...deps.deployments, cursors: deps.cursors, hasLock }),
      ...environmentRoutes(deps),
      ...weightRoutes(deps),
      ...workerTokenRoutes({ ...deps.workers, deployments }),
      ...poolRoutes({ deployments, hasLock, sharedPool: deps.workers.sharedPool }),
    ],
  });
}
