// What a role may do: a closed vocabulary, and for each operation the least role that may call it. The server asks here before
// any handler, docs/ROLES.md is generated from here, and a test calls every operation in every role and compares.

// In a workspace: a viewer reads; a member also runs and makes things; billing reads, and sets budgets and caps; an owner does
// everything. Neither member nor billing includes the other.
export const workspaceRoles = ["viewer", "member", "billing", "owner"] as const;
export type RoleInWorkspace = (typeof workspaceRoles)[number];

// On the installation: an auditor reads the administration and its audit, an operator also changes things.
export const installationRoles = ["auditor", "operator"] as const;
export type RoleOnInstallation = (typeof installationRoles)[number];

export type AnyRole = RoleInWorkspace | RoleOnInstallation;

const included: Readonly<Record<AnyRole, readonly AnyRole[]>> = {
  viewer: ["viewer"],
  member: ["viewer", "member"],
  billing: ["viewer", "billing"],
  owner: workspaceRoles,
  auditor: ["auditor"],
  operator: installationRoles,
};

// Whether someone who holds the role may do what the least one may.
export function includesRole(held: AnyRole, least: AnyRole): boolean {
  return included[held].includes(least);
}

// What of an operation decides; the whole one is described in operation.ts.
interface Asked {
  readonly access: "public" | "key" | "admin" | "session" | "worker";
  readonly method: string;
  readonly role?: AnyRole;
}

// The least role that may call an operation. If it declares none, reading takes a viewer (an auditor among the operators'
// operations), and anything else a member (an operator). Null: the operation asks for no role.
export function leastRole(operation: Asked): AnyRole | null {
  const { access, method, role } = operation;
  if (access === "public" || access === "worker") return null;
  const reads = method === "GET" || method === "HEAD";
  if (access === "admin") return role ?? (reads ? "auditor" : "operator");
  return role ?? (reads ? "viewer" : "member");
}
