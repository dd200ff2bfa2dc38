// What operators read and change. The public client has no methods for it; the operator's identity token, which all calls of the
// console carry, gives access.
import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";
import type { QueryOf } from "./operation.ts";
import { operations } from "./operations.ts";
import { readQuery } from "./read-query.ts";

export type {
  AdminProvider as Provider,
  AdminWorkspace as Workspace,
  AuditEntry,
  BackgroundProcess,
  Backup,
  BackupList,
  DefinitionCheck,
  DefinitionFinding,
  Deployment,
  EffectiveSetting,
  Fill,
  InstallationFigures,
  Payment,
  PaymentEvent,
  Plan,
  PoolScaler,
  PoolWorker,
  ProviderCheck,
  ProviderDefinition,
  ProviderDefinitionText,
  ServerCredential,
  SystemCheck,
  SystemCheckList,
  Weight,
  WorkerToken,
  WorkspaceLimit,
  WorkspaceModels,
} from "./generated/operations.ts";

export const checksQuery = {
  ...readQuery(["admin", "checks"], operations.runChecks),
  // The checks cost the server something, so they run only when a person asks.
  staleTime: 60_000,
  refetchOnWindowFocus: false,
};

export const backgroundQuery = {
  ...readQuery(["admin", "background"], operations.listBackgroundWork),
  refetchInterval: 15_000,
};

export const backupsQuery = { ...readQuery(["admin", "backups"], operations.listBackups), refetchInterval: 60_000 };

// They do not change while the process runs.
export const settingsQuery = { ...readQuery(["admin", "settings"], operations.listSettings), staleTime: 300_000 };

export const installationUsageQuery = (hours: number, by: QueryOf<typeof operations.getInstallationUsage>["by"]) => ({
  ...readQuery(["admin", "usage", hours, by], operations.getInstallationUsage, { query: { hours, by } }),
  refetchInterval: 60_000,
});

export const installationFiguresQuery = (hours: number) => ({
  ...readQuery(["admin", "figures", hours], operations.getInstallationFigures, { query: { hours } }),
  refetchInterval: 60_000,
});

export const refusedQuery = readQuery(["admin", "refused"], operations.listRefusedCredentials);

export const auditQuery = (query: QueryOf<typeof operations.listAuditEntries>) =>
  readQuery(["admin", "audit", query], operations.listAuditEntries, { query: { limit: 25, ...query } });

export const workspacesQuery = (cursor: string | undefined) =>
  readQuery(["admin", "workspaces", cursor ?? ""], operations.listWorkspacesAsAdmin, {
    query: { limit: 20, cursor },
  });

// The parts of a workspace. Any change to the workspace reloads all of them.
function partQuery<Part>(id: string, part: string, read: (ask: WorkspaceAsk) => Promise<Part>) {
  return queryOptions({
    queryKey: ["admin", "workspace", id, part],
    queryFn: ({ signal }) => read({ params: { workspaceId: id }, signal }),
  });
}

interface WorkspaceAsk {
  readonly params: { readonly workspaceId: string };
  readonly signal: AbortSignal;
}

export const workspaceQuery = (id: string) => partQuery(id, "", (ask) => call(operations.getWorkspaceAsAdmin, ask));
export const workspaceCreditsQuery = (id: string) =>
  partQuery(id, "credits", (ask) => call(operations.getWorkspaceCredits, ask));
export const workspaceLinesQuery = (id: string, cursor: string | undefined) =>
  partQuery(id, `lines ${cursor ?? ""}`, (ask) =>
    call(operations.listWorkspaceCreditLines, { ...ask, query: { limit: 20, cursor } }),
  );
export const workspaceLimitsQuery = (id: string) =>
  partQuery(id, "limits", (ask) => call(operations.listWorkspaceLimits, ask));
export const workspaceModelsQuery = (id: string) =>
  partQuery(id, "models", (ask) => call(operations.getWorkspaceModels, ask));

export const poolWorkersQuery = (pool: string) => ({
  ...readQuery(["admin", "pool", pool], operations.listPoolWorkers, { params: { poolId: pool } }),
  refetchInterval: 10_000,
});

export const poolQuery = (pool: string) => ({
  ...readQuery(["admin", "pool", pool, "itself"], operations.getPool, { params: { poolId: pool } }),
  refetchInterval: 10_000,
});

export const deploymentsQuery = (cursor: string | undefined) => ({
  ...readQuery(["admin", "deployments", cursor ?? ""], operations.listDeployments, { query: { limit: 20, cursor } }),
  refetchInterval: 10_000,
});

export const weightsQuery = (cursor: string | undefined) => ({
  ...readQuery(["admin", "weights", cursor ?? ""], operations.listWeights, { query: { limit: 20, cursor } }),
  refetchInterval: 5_000,
});

export const weightQuery = (id: string) =>
  readQuery(["admin", "weight", id], operations.getWeight, { params: { weightId: id } });

export const fillsQuery = { ...readQuery(["admin", "fills"], operations.listFills), refetchInterval: 3_000 };

export const environmentsQuery = (cursor: string | undefined) =>
  readQuery(["admin", "environments", cursor ?? ""], operations.listEnvironments, {
    query: { limit: 20, cursor },
  });

export const workerTokensQuery = readQuery(["admin", "worker-tokens"], operations.listWorkerTokens);

export const providersQuery = readQuery(["admin", "providers"], operations.listProviders);

export function definitionQuery(provider: string) {
  return {
    ...readQuery(["admin", "providers", "definition", provider], operations.getProviderDefinition, {
      params: { provider },
    }),
    // What is being edited does not change by itself; saving names the version it was read with.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  };
}

export const providerHealthQuery = readQuery(["admin", "providers", "health"], operations.listProviderHealth);

export const serverCredentialsQuery = readQuery(
  ["admin", "providers", "credentials"],
  operations.listServerCredentials,
);
