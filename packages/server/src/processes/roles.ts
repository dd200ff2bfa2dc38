// What this process does if there are several (ATELIER_ROLES). Every process is built the same way, since any of its work may
// need the rest; it just does not start what it leaves to others. Heartbeats, caches and its own open calls stay with each
// process.
import type { Config } from "../config.ts";
import { UsageProblem } from "../foundation/settings.ts";
import { type Role, roles } from "../process-settings.ts";

type WithRoles = Pick<Config, "roles">;

export const hasRole = ({ roles: given }: WithRoles, role: Role): boolean => given.includes(role);

// Null if it does everything.
export function partOf(config: WithRoles): string | null {
  const own = roles.filter((role) => hasRole(config, role));
  return own.length === roles.length ? null : own.join(", ");
}

export function requireRoles(
  config: WithRoles & Pick<Config, "databaseUrl" | "baseUrl" | "contentUrl" | "port" | "metricsPort">,
): void {
  if (config.roles.length === 0) throw new UsageProblem([`ATELIER_ROLES is empty; choose from ${roles.join(", ")}.`]);
  const left = roles.filter((role) => role !== "engine" && !hasRole(config, role));
  if (left.length > 0 && config.databaseUrl === null)
    throw new UsageProblem([
      `ATELIER_ROLES leaves out ${left.join(", ")}, but with the embedded database no other process can do that. Set DATABASE_URL, or give this process every role.`,
    ]);
  if (hasRole(config, "gateway") || (config.baseUrl !== null && config.contentUrl !== null)) return;
  if (config.port === 0 || config.metricsPort === null)
    throw new UsageProblem([
      "A process without the gateway role creates links to the gateways. Set ATELIER_BASE_URL and ATELIER_CONTENT_URL; on the same machine, the gateway's ATELIER_PORT and a separate ATELIER_METRICS_PORT are enough.",
    ]);
}
