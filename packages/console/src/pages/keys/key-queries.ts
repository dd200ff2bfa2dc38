import { keys as words } from "#strings/keys";
import { operations } from "../../api/operations.ts";
import { readList, readQuery } from "../../api/read-query.ts";

export { keysQuery } from "../../api/account.ts";

export const capsQuery = (id: string) =>
  readQuery(["keys", id, "caps"], operations.getKeyCaps, { params: { keyId: id } });

// For the names of the people who created keys.
export const makersQuery = (workspaceId: string) =>
  readList(["members", workspaceId], operations.listMembers, { params: { workspaceId } });

export const scopes = [
  { name: "models", does: words.scopes.models },
  { name: "partners", does: words.scopes.partners },
  { name: "workflows", does: words.scopes.workflows },
  { name: "registry", does: words.scopes.registry },
  { name: "account", does: words.scopes.account },
] as const;
export type ScopeName = (typeof scopes)[number]["name"];
