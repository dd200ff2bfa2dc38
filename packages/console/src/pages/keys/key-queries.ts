import { queryOptions } from "@tanstack/react-query";
import { keys as words } from "#strings/keys";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";

export { keysQuery } from "../../api/account.ts";

export const capsQuery = (id: string) =>
  queryOptions({
    queryKey: ["keys", id, "caps"],
    queryFn: ({ signal }) => call(operations.getKeyCaps, { params: { keyId: id }, signal }),
  });

// For the names of the people who created keys.
export const makersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["members", workspaceId],
    queryFn: async ({ signal }) => (await call(operations.listMembers, { params: { workspaceId }, signal })).data,
  });

export const scopes = [
  { name: "models", does: words.scopes.models },
  { name: "partners", does: words.scopes.partners },
  { name: "workflows", does: words.scopes.workflows },
  { name: "registry", does: words.scopes.registry },
  { name: "account", does: words.scopes.account },
] as const;
export type ScopeName = (typeof scopes)[number]["name"];
