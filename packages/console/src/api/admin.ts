// What operators read and change. The public client has no methods for it: an operator's identity token opens it, which
// the calls of the console carry anyway.
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
  // Looking costs the server something: a person asks for it.
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
