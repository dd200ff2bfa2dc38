// Prepares a definition: one served model for each of its models, with everything computed once, so that a call only
// looks up. Without its credential a provider has no models, except for workspaces that bring their own. Whether a model
// is released is not decided here.
import type { Clock } from "../../foundation/clock.ts";
import type { Secret } from "../../foundation/settings.ts";
import { credentialHeaders } from "./credential.ts";
import type { ProviderDefinition } from "./definition.ts";
import { buildSchemaDocument, compileInput } from "./input-schema.ts";
import type { ServedModel } from "./served-model.ts";

export interface PrepareDeps {
  readonly clock: Clock;
  // The credential of a setting, if it was entered for all of these hosts.
  credentialOf(setting: string, hosts: readonly string[]): Secret | null;
}

// Every host that a definition sends its credential to.
export function hostsIn(definition: ProviderDefinition): string[] {
  const polled = definition.models.flatMap((model) => model.poll?.hosts ?? []);
  return [...new Set([new URL(definition.base_url).host, ...polled.map((host) => host.toLowerCase())])];
}

export function hasCredential({ credentialOf }: PrepareDeps, definition: ProviderDefinition): boolean {
  const { credential } = definition;
  return credential.kind === "none" || credentialOf(credential.setting, hostsIn(definition)) !== null;
}

export function prepareModels(
  deps: PrepareDeps,
  definition: ProviderDefinition,
  version: number | null,
  { forOwnCredentials = false }: { readonly forOwnCredentials?: boolean } = {},
): ServedModel[] {
  const { credential } = definition;
  const hosts = hostsIn(definition);
  const secret = credential.kind === "none" ? null : deps.credentialOf(credential.setting, hosts);
  const isBare = credential.kind !== "none" && secret === null;
  if (isBare && !(forOwnCredentials && definition.workspace_credentials)) return [];
  return definition.models.map((model) => {
    const id = `${definition.provider}/${model.model}`;
    const schemaDocument = buildSchemaDocument(id, model);
    return {
      id,
      provider: definition.provider,
      definition: model,
      definitionVersion: version,
      baseUrl: definition.base_url.replace(/\/+$/, ""),
      headers: Object.fromEntries(
        Object.entries(definition.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      referenceHeader: definition.reference_header ?? null,
      ownCredentialHosts: definition.workspace_credentials ? hosts : null,
      ...(isBare ? { needsOwnCredential: true } : {}),
      credentialHeaders(own) {
        // Callers of this model bring the credential; a request without one must not leave.
        if (isBare && !own) throw new Error(`${id} was called without a credential.`);
        return credentialHeaders(credential, own ?? secret, deps.clock);
      },
      secrets(own) {
        const used = own ?? secret;
        return used === null ? [] : [used.reveal()];
      },
      ...(credential.kind === "none" ? {} : { credentialSetting: credential.setting }),
      schema: model.input_schema === null ? null : compileInput(schemaDocument, id),
      schemaDocument,
    };
  });
}
