// Providers' credentials and the hosts they may be sent to (decisions, section 3): those of the setting <NAME>_HOSTS if
// it is set, otherwise those of the definitions in this machine's own files that name the credential. So a person who may
// write definitions through the admin API cannot send another's credential elsewhere.
import type { EgressAllowance } from "../../../foundation/http/outgoing/egress-allow.ts";
import { checkTarget, isLoopback } from "../../../foundation/http/outgoing/egress-guard.ts";
import { Secret } from "../../../foundation/settings.ts";
import type { ProviderDefinition } from "../definition.ts";
import type { DefinitionProblem } from "../definition-problem.ts";
import { hostsIn } from "../providers.ts";

const prefix = "ATELIER_PROVIDER_";
const hostsSuffix = "_HOSTS";

export interface ProviderCredentials {
  credentialOf(setting: string, hosts: readonly string[]): Secret | null;
  // True if this machine's operator named the host, so that it needs no egress guard.
  isOwnHost(host: string): boolean;
  // Why a definition from elsewhere cannot be served here.
  targetProblems(definition: ProviderDefinition): readonly DefinitionProblem[];
}

export interface ProviderCredentialsDeps {
  // Set by the operator.
  readonly secrets: ReadonlyMap<string, Secret>;
  // Definitions from files and those that ship with the server.
  readonly own: readonly ProviderDefinition[];
  // Providers this process brings itself, with credentials made for them: the sandbox.
  readonly builtIn?: BuiltInProviders;
  // True if this server is reachable only from this machine; then it may also use providers on it.
  readonly isLocal: boolean;
  // Private networks that the operator opened for partners.
  readonly allow?: readonly EgressAllowance[];
}

export interface BuiltInProviders {
  readonly definitions: readonly ProviderDefinition[];
  readonly secrets: ReadonlyMap<string, Secret>;
}

const nothingBuiltIn: BuiltInProviders = { definitions: [], secrets: new Map() };

export function createProviderCredentials(deps: ProviderCredentialsDeps): ProviderCredentials {
  const { secrets, own, isLocal, builtIn = nothingBuiltIn, allow = [] } = deps;
  const builtInHosts = new Set(builtIn.definitions.flatMap(hostsIn));
  const ownHosts = new Set([
    ...own.flatMap(hostsIn),
    ...builtInHosts,
    ...[...secrets.keys()].flatMap((name) => [...(namedHosts(secrets, name) ?? [])]),
  ]);

  function hostsOf(setting: string): ReadonlySet<string> {
    const named = namedHosts(secrets, setting);
    if (named !== null) return named;
    const users = own.filter(({ credential }) => credential.kind !== "none" && credential.setting === setting);
    return new Set(users.flatMap(hostsIn));
  }

  const isOwnHost = (host: string) =>
    ownHosts.has(host) ||
    (isLocal && isLoopback((URL.parse(`http://${host}`)?.hostname ?? "").replace(/^\[|\]$/g, "")));

  return {
    isOwnHost,
    credentialOf(setting, hosts) {
      // A credential made for the sandbox goes only there, and an operator's credential of the same name never does: each
      // is used only where it was made or entered for.
      const made = builtIn.secrets.get(setting);
      if (made && hosts.every((host) => builtInHosts.has(host))) return made;
      const secret = secrets.get(setting);
      const bound = hostsOf(setting);
      return secret && hosts.every((host) => bound.has(host)) ? secret : null;
    },
    targetProblems(definition) {
      const hosts = hostsIn(definition);
      const { credential, base_url } = definition;
      const scheme = new URL(base_url).protocol;
      const problems = hosts
        .filter((host) => !isOwnHost(host) && !checkTarget(`${scheme}//${host}/`, { allowHttp: false, allow }).ok)
        .map((host) => ({
          path: host === new URL(base_url).host ? "/base_url" : "/models",
          message: `may only name public hosts over https, and ${host} is not public: allow it with ATELIER_EGRESS_ALLOW=partners=${host}, or define the provider in a file`,
        }));
      if (credential.kind === "none" || !secrets.has(credential.setting)) return problems;
      if (builtIn.secrets.has(credential.setting) && hosts.every((host) => builtInHosts.has(host))) return problems;
      const bound = hostsOf(credential.setting);
      const foreign = hosts.filter((host) => !bound.has(host));
      if (foreign.length === 0) return problems;
      const { setting } = credential;
      const message = `${setting} may not be sent to ${foreign.join(", ")}: add these hosts to ${setting}${hostsSuffix}`;
      return [...problems, { path: "/credential/setting", message }];
    },
  };
}

// A setting that lists hosts for a credential is not itself a credential.
export function isHostList(setting: string): boolean {
  return setting.endsWith(hostsSuffix);
}

// The hosts the operator named for a credential. Null if none.
function namedHosts(secrets: ReadonlyMap<string, Secret>, setting: string): ReadonlySet<string> | null {
  const text = secrets.get(`${setting}${hostsSuffix}`)?.reveal();
  if (text === undefined) return null;
  return new Set(text.split(/[\s,]+/).flatMap((host) => (host === "" ? [] : [host.toLowerCase()])));
}

// If the operator named hosts for a credential, it is sent to no others. `foreign` is a host it must not go to.
export function secretWithin(
  secrets: ReadonlyMap<string, Secret>,
  setting: string,
  hosts: readonly string[],
): { readonly secret: Secret | null; readonly foreign?: string } {
  const named = namedHosts(secrets, setting);
  const foreign = named === null ? undefined : hosts.find((host) => !named.has(host));
  return foreign === undefined ? { secret: secrets.get(setting) ?? null } : { secret: null, foreign };
}

export function providerSecrets(env: Readonly<Record<string, string | undefined>>) {
  const found = Object.entries(env).flatMap(([name, value]): [string, Secret][] =>
    name.startsWith(prefix) && value ? [[name, new Secret(value)]] : [],
  );
  return new Map(found);
}
