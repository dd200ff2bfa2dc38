// Redirects a definition to a provider on loopback: same paths, same states, same rules, another host. Wherever it or a
// fixture names one of the provider's hosts, loopback is used instead. Other hosts stay as they are, but the kit can
// connect only to loopback.

import { Secret } from "../../foundation/settings.ts";
import { hostsIn, type ProviderDefinition } from "../providers/index.ts";
import type { FixtureAnswer } from "./fixtures.ts";
import type { ScriptedAnswer, ScriptedProvider } from "./scripted-provider.ts";

export function ledHome(definition: ProviderDefinition, { origin, host }: ScriptedProvider): ProviderDefinition {
  const base = new URL(definition.base_url);
  return {
    ...definition,
    base_url: `${origin}${base.pathname === "/" ? "" : base.pathname}`,
    models: definition.models.map((model) =>
      model.poll?.hosts ? { ...model, poll: { ...model.poll, hosts: [host] } } : model,
    ),
  };
}

// The value of the setting during a check, in the form that the credential's kind needs.
export function checkSecret({ credential }: ProviderDefinition): Secret {
  const isPair = credential.kind === "key_pair" || credential.kind === "jwt_hs256";
  return new Secret(isPair ? "conformance-id:conformance-secret-0123456789" : "conformance-credential-0123456789");
}

export function buildFixtureAnswer(
  definition: ProviderDefinition,
  provider: ScriptedProvider,
  { status = 200, headers = {}, body, text }: FixtureAnswer,
): ScriptedAnswer {
  const said = text ?? (body === undefined ? "" : JSON.stringify(body));
  const scheme = new URL(definition.base_url).protocol;
  const hosts = hostsIn(definition);
  const led = (words: string) =>
    hosts.reduce((whole, host) => whole.replaceAll(`${scheme}//${host}`, provider.origin), words);
  const type = text === undefined && body !== undefined ? { "content-type": "application/json" } : {};
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), led(value)]);
  return { status, headers: { ...type, ...Object.fromEntries(named) }, body: Buffer.from(led(said)) };
}
