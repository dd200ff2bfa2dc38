// Who is signed in, and where.
import type { AccountKey } from "@atelier/sdk";
import { operations } from "./operations.ts";
import { readList, readQuery } from "./read-query.ts";

export const accountQuery = { ...readQuery(["account"], operations.getAccount), staleTime: 60_000 };

export const workspacesQuery = {
  // With the cookie, because the token belongs to one workspace and sees only that one.
  ...readQuery(["account", "workspaces"], operations.listWorkspaces, { as: "session" }),
  staleTime: 60_000,
};

export const keysQuery = readList(["keys"], operations.listKeys);

// How alerts reach people, and odd spending.
export const alertsQuery = readQuery(["account", "alerts"], operations.getAlertSettings);

// Who sets budgets and caps.
export function isForMoney(account: { readonly role: string } | undefined): boolean {
  return account?.role === "owner" || account?.role === "billing";
}

export type KeyState = "works" | "expired" | "revoked";

export function keyState(key: AccountKey, now: number): KeyState {
  if (key.revoked_at !== null) return "revoked";
  return key.expires_at !== null && new Date(key.expires_at).getTime() <= now ? "expired" : "works";
}
