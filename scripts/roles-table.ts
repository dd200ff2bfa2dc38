// Which role may call which operation, for docs/ROLES.md: from the same table that the server enforces.
import {
  includesRole,
  installationRoles,
  leastRole,
  type Operation,
  type RoleInWorkspace,
  type RoleOnInstallation,
  workspaceRoles,
} from "@atelier/contract";
import { mountedOperations } from "../packages/server/src/processes/build/mounted-operations.ts";

export function workspaceRolesTable(): string {
  return tableOf(workspaceRoles, ({ access }) => access === "key" || access === "session");
}

export function installationRolesTable(): string {
  return tableOf(installationRoles, ({ access }) => access === "admin");
}

function tableOf(
  roles: readonly (RoleInWorkspace | RoleOnInstallation)[],
  isWanted: (operation: Operation) => boolean,
): string {
  const rows = mountedOperations()
    .filter(isWanted)
    .sort((one, other) => (one.path === other.path ? 0 : one.path < other.path ? -1 : 1))
    .map((operation) => {
      const least = leastRole(operation);
      const cells = roles.map((role) => (least !== null && includesRole(role, least) ? "yes" : "–"));
      return `| \`${operation.method} ${operation.path}\` | ${cells.join(" | ")} | ${freshOf(operation)} |`;
    });
  const head = ["Operation", ...roles, "Fresh sign-in"];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---|").join("")}`, ...rows].join("\n");
}

function freshOf({ freshSignIn }: Operation): string {
  if (freshSignIn === undefined) return "";
  return freshSignIn === "always" ? "yes" : "if an owner is concerned";
}
