// Who owns the drafts: a person, in the workspace this page is about.
import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "./account.ts";
import { configQuery } from "./config.ts";
import type { Owner } from "./drafts.ts";

// Undefined until it is known; null if it cannot be known, and then nothing is stored.
export function useOwner(): Owner | undefined {
  const { data: config } = useQuery(configQuery);
  const hasAccount = config?.auth === "session";
  const { data: account, isError } = useQuery({ ...accountQuery, enabled: hasAccount });
  if (config === undefined) return undefined;
  if (!hasAccount) return "here.here";
  if (account === undefined) return isError ? null : undefined;
  return account.person === undefined ? null : `${account.person.id}.${account.workspace.id}`;
}
