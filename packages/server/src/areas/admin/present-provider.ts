// Providers as operators see them. A definition names the setting of its credential and never contains the value.
import type * as wire from "@atelier/contract";
import type { LiveModel, LiveProvider } from "../../capabilities/providers/index.ts";

export function presentProvider(provider: LiveProvider): wire.AdminProvider {
  const { definition } = provider;
  return {
    provider: provider.provider,
    source: provider.source,
    hidden_sources: [...provider.hidden],
    version: provider.version,
    updated_at: provider.updatedAt?.toISOString() ?? null,
    readable: definition !== null,
    credential_setting:
      definition === null || definition.credential.kind === "none" ? null : definition.credential.setting,
    credential_configured: provider.hasCredential,
    models: provider.models.map(presentModelRelease),
  };
}

export function presentProviderRecord(provider: LiveProvider): wire.AdminProviderRecord {
  return { ...presentProvider(provider), definition: provider.definition };
}

export function presentModelRelease(model: LiveModel): wire.ModelRelease {
  const { deprecatedAt, sunsetAt, verifiedAt } = model.marks;
  return {
    id: model.id,
    released: model.released,
    release_override: model.override,
    served: model.served,
    deprecated_at: deprecatedAt?.toISOString() ?? null,
    sunset_at: sunsetAt?.toISOString() ?? null,
    verified: verifiedAt?.toISOString() ?? null,
  };
}
