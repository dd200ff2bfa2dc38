// What operators read and change. The public client has no methods for it; the operator's identity token, which all calls of the
// console carry, gives access.
import { queryOptions } from "@tanstack/react-query";
import { call, type Query } from "./client.ts";

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

export interface SystemCheck {
  readonly name: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  readonly advice: string | null;
}

export interface SystemChecks {
  readonly checked_at: string;
  readonly version: string;
  readonly started_at: string;
  readonly data: readonly SystemCheck[];
}

export const checksQuery = queryOptions({
  queryKey: ["admin", "checks"],
  queryFn: ({ signal }) => call<SystemChecks>("/admin/checks", { signal }),
  // The checks cost the server something, so they run only when a person asks.
  staleTime: 60_000,
  refetchOnWindowFocus: false,
});

export interface BackgroundProcess {
  readonly id: string;
  readonly name: string;
  readonly started_at: string;
  readonly seen_at: string;
  readonly problems: readonly string[];
  readonly works: readonly {
    readonly name: string;
    readonly every_seconds: number;
    readonly is_running: boolean;
    readonly rounds: number;
    readonly failures: number;
    readonly last?: {
      readonly started_at: string;
      readonly duration_ms: number;
      readonly result: "succeeded" | "failed";
      readonly problem?: string;
    };
  }[];
}

export const backgroundQuery = queryOptions({
  queryKey: ["admin", "background"],
  queryFn: ({ signal }) => call<{ readonly data: readonly BackgroundProcess[] }>("/admin/background-work", { signal }),
  refetchInterval: 15_000,
});

export interface RefusedCredential {
  readonly refused_by: string;
  readonly setting: string;
  readonly provider_status: number;
  readonly provider_words: string | null;
  readonly times: number;
  readonly last_at: string;
}

export const refusedQuery = queryOptions({
  queryKey: ["admin", "refused"],
  queryFn: ({ signal }) =>
    call<{ readonly data: readonly RefusedCredential[] }>("/admin/refused-credentials", { signal }),
});

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name?: string };
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly workspace_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
}

export function auditQuery(query: Query) {
  return queryOptions({
    queryKey: ["admin", "audit", query],
    queryFn: ({ signal }) => call<Page<AuditEntry>>("/admin/audit", { query: { limit: 25, ...query }, signal }),
  });
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

export function workspacesQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "workspaces", cursor ?? ""],
    queryFn: ({ signal }) => call<Page<Workspace>>("/admin/workspaces", { query: { limit: 20, cursor }, signal }),
  });
}

export interface Balance {
  readonly available: string;
  readonly held: string;
  readonly in_flight: number;
}

export interface CreditLine {
  readonly transaction_id: string;
  readonly kind: string;
  readonly amount: string;
  readonly change: string;
  readonly at: string;
}

export interface WorkspaceLimit {
  readonly name: string;
  readonly kind: string;
  readonly value: number;
  readonly default: number;
  readonly overridden: boolean;
  readonly description: string;
}

export interface WorkspaceModels {
  readonly router_enabled: boolean;
  readonly entitlements: readonly string[] | null;
}

// One part of a workspace. Any change to the workspace reloads all its parts.
export function workspacePartQuery<Part>(id: string, part: string, query: Query = {}) {
  const path = part === "" ? `/admin/workspaces/${id}` : `/admin/workspaces/${id}/${part}`;
  return queryOptions({
    queryKey: ["admin", "workspace", id, part, query],
    queryFn: ({ signal }) => call<Part>(path, { query, signal }),
  });
}

export interface PoolWorker {
  readonly id: string;
  readonly name: string;
  readonly engine: string;
  readonly version: string;
  readonly slots: number;
  readonly node_classes: number;
  readonly models_loaded: readonly string[];
  readonly seen_at: string;
}

export function poolWorkersQuery(pool: string) {
  return queryOptions({
    queryKey: ["admin", "pool", pool],
    queryFn: ({ signal }) => call<{ readonly data: readonly PoolWorker[] }>(`/admin/pools/${pool}/workers`, { signal }),
    refetchInterval: 10_000,
  });
}

export interface Deployment {
  readonly id: string;
  readonly name: string;
  readonly state: "provisioning" | "ready" | "stopped";
  readonly reason: string | null;
  readonly workers_min: number;
  readonly workers_max: number;
  readonly workers_wanted: number;
  readonly jobs_per_worker: number;
  readonly unfinished_jobs: number;
  readonly environment: { readonly engine: string; readonly engine_version: string | null };
  readonly urls: { readonly mount: string; readonly host: string | null };
  readonly workers: readonly {
    readonly id: string;
    readonly name: string;
    readonly slots: number;
    readonly engine: string;
    readonly engine_version: string;
    readonly matches: boolean;
    readonly problems: readonly string[];
    readonly seen_at: string;
  }[];
}

export function deploymentsQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "deployments", cursor ?? ""],
    queryFn: ({ signal }) => call<Page<Deployment>>("/admin/deployments", { query: { limit: 20, cursor }, signal }),
    refetchInterval: 10_000,
  });
}

export interface WorkerToken {
  readonly id: string;
  readonly name: string;
  readonly pool_ids: readonly string[];
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export const workerTokensQuery = queryOptions({
  queryKey: ["admin", "worker-tokens"],
  queryFn: ({ signal }) => call<{ readonly data: readonly WorkerToken[] }>("/admin/worker-tokens", { signal }),
});

export interface Provider {
  readonly provider: string;
  readonly source: string;
  readonly hidden_sources: readonly string[];
  readonly version: number | null;
  readonly updated_at: string | null;
  readonly readable: boolean;
  readonly credential_setting: string | null;
  readonly credential_configured: boolean;
  readonly models: readonly {
    readonly id: string;
    readonly released: boolean;
    readonly release_override: boolean | null;
    readonly served: boolean;
    readonly deprecated_at: string | null;
    readonly sunset_at: string | null;
    readonly verified: string | null;
  }[];
}

export const providersQuery = queryOptions({
  queryKey: ["admin", "providers"],
  queryFn: ({ signal }) => call<{ readonly data: readonly Provider[] }>("/admin/providers", { signal }),
});

export interface ServerCredential {
  readonly provider: string;
  readonly setting: string;
  readonly source: "environment" | "stored" | "made" | "none";
  readonly models: number;
  readonly updated_at: string | null;
}

export const serverCredentialsQuery = queryOptions({
  queryKey: ["admin", "providers", "credentials"],
  queryFn: ({ signal }) =>
    call<{ readonly data: readonly ServerCredential[] }>("/admin/provider-credentials", { signal }),
});

export interface ProviderCheck {
  readonly status: "ok" | "refused" | "failing" | "not_checked";
  readonly ms: number | null;
  readonly words: string;
}
