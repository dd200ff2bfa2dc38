// Whether the person who is signed in may call an operation, by the role that the operation declares. One rule for all buttons: the
// server asks the same table, so a button that is enabled here is not refused there for a role.
import { useQuery } from "@tanstack/react-query";
import { shared as words } from "#strings/shared";
import { accountQuery } from "./account.ts";
import { configQuery } from "./config.ts";
import { includedRoles } from "./generated/roles.ts";
import { leastRoleOf } from "./operation.ts";
import { linkKeyFor } from "./works/link-key.ts";

export interface Holder {
  readonly role: string;
  readonly installation_role?: string | null;
  readonly is_operator?: boolean;
}

export function mayCall({ role, installation_role, is_operator }: Holder, operation: string): boolean {
  const least = leastRoleOf(operation);
  const held = [role, installation_role ?? (is_operator ? "operator" : "")];
  return held.some((each) => includedRoles[each]?.includes(least));
}

// Null: they may, or we do not know yet. A surface without accounts has no roles, and a link to a work has its own.
export function whyNot(holder: Holder | undefined, operation: string): string | null {
  if (holder === undefined || mayCall(holder, operation)) return null;
  const least = leastRoleOf(operation);
  return words.needsRole[least as keyof typeof words.needsRole] ?? words.needsRole.owner;
}

export function useWhyNot(operation: string | undefined): string | null {
  const { data: config } = useQuery(configQuery);
  const hasRole = config?.auth === "session" && linkKeyFor(location.pathname) === null;
  const { data } = useQuery({ ...accountQuery, enabled: operation !== undefined && hasRole });
  return operation === undefined ? null : whyNot(data, operation);
}
