// The one place that enforces roles: every credential passes here on its way in, before its operation's handler runs. What each
// operation asks for is in the contract's table (docs/ROLES.md). Handlers decide only what depends on the thing that is named:
// whose key, which member.
import { includesRole, leastRole, type Operation, workspaceRoles } from "@atelier/contract";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Principal, Role } from "./principal.ts";

export interface FreshSignInDeps {
  readonly clock: Clock;
  // How long after signing in a person may take dangerous steps.
  readonly freshSignInMs: number;
}

// Operators' operations are guarded by the role on the installation instead (people/operators.ts).
export function requireRoleFor(role: Role, operation: Operation | undefined): void {
  if (operation === undefined || operation.access === "admin") return;
  const least = leastRole(operation);
  if (least !== null && !includesRole(role, least)) throw lacksRole(role, least);
}

export function requireRole(role: Role, least: Role): void {
  if (!includesRole(role, least)) throw lacksRole(role, least);
}

function lacksRole(role: Role, least: string): Fault {
  const enough = workspaceRoles.filter((one) => one === least || one === "owner").map((one) => `"${one}"`);
  const words =
    least === "owner"
      ? "Only an owner of the workspace may do this."
      : `This takes the role ${enough.join(" or ")}; yours is "${role}". Ask an owner of the workspace.`;
  return new Fault("forbidden", words, { details: { role, needs_role: least } });
}

// A person's browser that has been signed in for long may have been left open, or its cookie stolen. Keys and tokens of programs
// are not signed in, and neither are people whom an external issuer vouches for with every request.
export function requireFreshSignIn({ clock, freshSignInMs }: FreshSignInDeps, principal: Principal): void {
  if (principal.kind !== "identity" || principal.signedInAt === null) return;
  if (clock.now().getTime() - principal.signedInAt.getTime() < freshSignInMs) return;
  const minutes = Math.round(freshSignInMs / 60_000);
  throw new Fault(
    "sign_in_again",
    `This step needs a sign-in of the last ${minutes} minutes. Sign in again, then repeat it. Nothing was changed.`,
    { details: { signed_in_at: principal.signedInAt.toISOString(), minutes } },
  );
}
