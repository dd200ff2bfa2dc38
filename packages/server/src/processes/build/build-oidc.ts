// Signing in through an OpenID Connect issuer, as configured.
import type { OidcSignIn } from "../../areas/account/index.ts";
import type { GroupRule } from "../../capabilities/identity/index.ts";
import { askIssuer, createOidc } from "../../capabilities/oidc/index.ts";
import type { Config } from "../../config.ts";
import type { Clock } from "../../foundation/clock.ts";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import { parseId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { readGroupRule } from "../../oidc-settings.ts";

export function buildOidc({ config, clock, log }: { config: Config; clock: Clock; log: Log }): OidcSignIn | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcAllowedDomains, oidcAllowedSubjects } = config;
  if (issuer === null) return null;
  const { protocol, hostname } = new URL(issuer);
  const problems = [
    ...(clientId === null ? ["ATELIER_OIDC_ISSUER is set, but ATELIER_OIDC_CLIENT_ID is missing."] : []),
    ...(protocol === "https:" || isLoopback(hostname) ? [] : ["ATELIER_OIDC_ISSUER must start with https://."]),
    ...(oidcAllowedDomains.length + oidcAllowedSubjects.length === 0
      ? ["Set who may sign in with the issuer: ATELIER_OIDC_ALLOWED_DOMAINS or ATELIER_OIDC_ALLOWED_SUBJECTS."]
      : []),
  ];
  if (problems.length > 0 || clientId === null) throw new UsageProblem(problems);
  const groupRules = groupRulesOf(config);
  const settings = {
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret?.reveal() ?? null,
    allowedDomains: oidcAllowedDomains,
    allowedSubjects: oidcAllowedSubjects,
    groupsClaim: groupRules.length === 0 ? null : config.oidcGroupsClaim,
  };
  return {
    flow: createOidc({ settings, ask: askIssuer, clock }),
    firstRole: config.oidcFirstRole,
    firstWorkspaceId: parseId<"workspace">(config.oidcFirstWorkspace ?? ""),
    groupRules,
    log,
  };
}

// Each entry has passed the setting's own check.
function groupRulesOf({ oidcGroupRoles, oidcOperatorGroup }: Config): readonly GroupRule[] {
  const rules = oidcGroupRoles.flatMap((text) => readGroupRule(text) ?? []);
  return oidcOperatorGroup === null
    ? rules
    : [...rules, { group: oidcOperatorGroup, role: "operator", workspaceId: null }];
}
