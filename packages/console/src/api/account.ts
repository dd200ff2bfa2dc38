// Who is signed in, and where.
import type { Account, Workspace } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";

// What is said of a person besides; absent on servers that are older than the console.
export type SignedIn = Account & { readonly is_operator?: boolean };

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => call<SignedIn>("/account", { signal }),
  staleTime: 60_000,
});

export const workspacesQuery = queryOptions({
  queryKey: ["account", "workspaces"],
  queryFn: ({ signal }) => call<{ readonly data: readonly Workspace[] }>("/account/workspaces", { signal }),
  staleTime: 60_000,
});
