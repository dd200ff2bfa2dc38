// Which providers serve models here, which have no credential, and to which calls keep failing.
import { type Finding, warning, well } from "../../../foundation/looks/finding.ts";
import type { LiveProvider } from "../live-providers.ts";
import type { HealthEntry } from "../provider-health.ts";

export function providerFindings(
  live: readonly Pick<LiveProvider, "provider" | "definition" | "hasCredential" | "models">[],
): readonly Finding[] {
  const bare = live.flatMap(({ provider, definition, hasCredential }) => {
    if (definition === null)
      return [warning("providers", `this version cannot read ${provider}`, "update its definition")];
    if (hasCredential || definition.credential.kind === "none") return [];
    const { setting } = definition.credential;
    return [warning("providers", `${provider} has no credential`, `set ${setting}, or enter it under Providers`)];
  });
  const served = live.filter(({ models }) => models.some((model) => model.served));
  const others = served.filter(({ provider }) => provider !== "sandbox").length;
  const models = served.reduce((sum, each) => sum + each.models.filter((model) => model.served).length, 0);
  if (others > 0) return [well("providers", `${served.length} serve ${models} models`), ...bare];
  const message = served.length > 0 ? "only the sandbox serves models" : "no provider serves a model";
  return [
    warning(
      "providers",
      message,
      "enter a provider's credential under Providers, or set its ATELIER_PROVIDER_… variable",
    ),
    ...bare,
  ];
}

// Only of the server's own credentials: a workspace with its own sees its failures itself.
export function circuitFindings(health: readonly HealthEntry[]): readonly Finding[] {
  return health
    .filter(({ circuit, credentialOf }) => circuit !== "closed" && credentialOf === null)
    .map(({ provider, lastFailure }) =>
      warning(
        "providers",
        `calls to ${provider} keep failing${lastFailure === null ? "" : `: ${lastFailure.reason}`}`,
        `see ${provider} under Providers; routes ask it last until a call succeeds`,
      ),
    );
}
