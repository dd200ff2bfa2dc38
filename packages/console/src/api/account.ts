// Who is signed in, and where.
import type { AccountKey } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";
import { operations } from "./operations.ts";

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => call(operations.getAccount, { signal }),
  staleTime: 60_000,
});

export const workspacesQuery = queryOptions({
  queryKey: ["account", "workspaces"],
  // With the cookie, because the token belongs to one workspace and sees only that one.
  queryFn: ({ signal }) => call(operations.listWorkspaces, { signal, as: "session" }),
  staleTime: 60_000,
});

export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: async ({ signal }) => (await call(operations.listKeys, { signal })).data,
});

// How alerts reach people, and odd spending.
export const alertsQuery = queryOptions({
  queryKey: ["account", "alerts"],
  queryFn: ({ signal }) => call(operations.getAlertSettings, { signal }),
});

// Who sets budgets and caps.
export function isForMoney(account: { readonly role: string } | undefined): boolean {
  return account?.role === "owner" || account?.role === "billing";
}

export type KeyState = "works" | "expired" | "revoked";

export function keyState(key: AccountKey, now: number): KeyState {
  if (key.revoked_at !== null) return "revoked";
  return key.expires_at !== null && new Date(key.expires_at).getTime() <= now ? "expired" : "works";
}
