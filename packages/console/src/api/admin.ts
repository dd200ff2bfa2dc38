// What operators read and change. The public client has no methods for it; the operator's identity token, which all calls of the
// console carry, gives access.
import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";
import type { QueryOf } from "./operation.ts";
import { operations } from "./operations.ts";

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

export const checksQuery = queryOptions({
  queryKey: ["admin", "checks"],
  queryFn: ({ signal }) => call(operations.runChecks, { signal }),
  // The checks cost the server something, so they run only when a person asks.
  staleTime: 60_000,
  refetchOnWindowFocus: false,
});

export const backgroundQuery = queryOptions({
  queryKey: ["admin", "background"],
  queryFn: ({ signal }) => call(operations.listBackgroundWork, { signal }),
  refetchInterval: 15_000,
});

export const backupsQuery = queryOptions({
  queryKey: ["admin", "backups"],
  queryFn: ({ signal }) => call(operations.listBackups, { signal }),
  refetchInterval: 60_000,
});

// They do not change while the process runs.
export const settingsQuery = queryOptions({
  queryKey: ["admin", "settings"],
  queryFn: ({ signal }) => call(operations.listSettings, { signal }),
  staleTime: 300_000,
});

export function installationUsageQuery(hours: number, by: QueryOf<typeof operations.getInstallationUsage>["by"]) {
  return queryOptions({
    queryKey: ["admin", "usage", hours, by],
    queryFn: ({ signal }) => call(operations.getInstallationUsage, { query: { hours, by }, signal }),
    refetchInterval: 60_000,
  });
}

export function installationFiguresQuery(hours: number) {
  return queryOptions({
    queryKey: ["admin", "figures", hours],
    queryFn: ({ signal }) => call(operations.getInstallationFigures, { query: { hours }, signal }),
    refetchInterval: 60_000,
  });
}

export const refusedQuery = queryOptions({
  queryKey: ["admin", "refused"],
  queryFn: ({ signal }) => call(operations.listRefusedCredentials, { signal }),
});

export function auditQuery(query: QueryOf<typeof operations.listAuditEntries>) {
  return queryOptions({
    queryKey: ["admin", "audit", query],
    queryFn: ({ signal }) => call(operations.listAuditEntries, { query: { limit: 25, ...query }, signal }),
  });
}

export function workspacesQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "workspaces", cursor ?? ""],
    queryFn: ({ signal }) => call(operations.listWorkspacesAsAdmin, { query: { limit: 20, cursor }, signal }),
  });
}

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

export function poolWorkersQuery(pool: string) {
  return queryOptions({
    queryKey: ["admin", "pool", pool],
    queryFn: ({ signal }) => call(operations.listPoolWorkers, { params: { poolId: pool }, signal }),
    refetchInterval: 10_000,
  });
}

export function poolQuery(pool: string) {
  return queryOptions({
    queryKey: ["admin", "pool", pool, "itself"],
    queryFn: ({ signal }) => call(operations.getPool, { params: { poolId: pool }, signal }),
    refetchInterval: 10_000,
  });
}

export function deploymentsQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "deployments", cursor ?? ""],
    queryFn: ({ signal }) => call(operations.listDeployments, { query: { limit: 20, cursor }, signal }),
    refetchInterval: 10_000,
  });
}

export function weightsQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "weights", cursor ?? ""],
    queryFn: ({ signal }) => call(operations.listWeights, { query: { limit: 20, cursor }, signal }),
    refetchInterval: 5_000,
  });
}

export function weightQuery(id: string) {
  return queryOptions({
    queryKey: ["admin", "weight", id],
    queryFn: ({ signal }) => call(operations.getWeight, { params: { weightId: id }, signal }),
  });
}

export const fillsQuery = queryOptions({
  queryKey: ["admin", "fills"],
  queryFn: ({ signal }) => call(operations.listFills, { signal }),
  refetchInterval: 3_000,
});

export function environmentsQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "environments", cursor ?? ""],
    queryFn: ({ signal }) => call(operations.listEnvironments, { query: { limit: 20, cursor }, signal }),
  });
}

export const workerTokensQuery = queryOptions({
  queryKey: ["admin", "worker-tokens"],
  queryFn: ({ signal }) => call(operations.listWorkerTokens, { signal }),
});

export const providersQuery = queryOptions({
  queryKey: ["admin", "providers"],
  queryFn: ({ signal }) => call(operations.listProviders, { signal }),
});

export function definitionQuery(provider: string) {
  return queryOptions({
    queryKey: ["admin", "providers", "definition", provider],
    queryFn: ({ signal }) => call(operations.getProviderDefinition, { params: { provider }, signal }),
    // What is being edited does not change by itself; saving names the version it was read with.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export const providerHealthQuery = queryOptions({
  queryKey: ["admin", "providers", "health"],
  queryFn: ({ signal }) => call(operations.listProviderHealth, { signal }),
});

export const serverCredentialsQuery = queryOptions({
  queryKey: ["admin", "providers", "credentials"],
  queryFn: ({ signal }) => call(operations.listServerCredentials, { signal }),
});
