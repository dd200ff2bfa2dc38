// Who is signed in, and where.
import type { Account, Workspace } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";
import { faultOf } from "./fault.ts";

// What else we know about the person; absent on servers older than the console.
export type SignedIn = Account & { readonly is_operator?: boolean };

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => call<SignedIn>("/account", { signal }),
  staleTime: 60_000,
});

export const workspacesQuery = queryOptions({
  queryKey: ["account", "workspaces"],
  // With the cookie, because the token belongs to one workspace and sees only that one.
  queryFn: async ({ signal }): Promise<{ readonly data: readonly Workspace[] }> => {
    const response = await fetch("/account/workspaces", { signal });
    if (!response.ok) throw await faultOf(response);
    return response.json();
  },
  staleTime: 60_000,
});
