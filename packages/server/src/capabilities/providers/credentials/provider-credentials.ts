// Providers' credentials and the hosts they were entered for (decisions, section 3). A credential goes to the hosts of
// the setting <NAME>_HOSTS where there is one, otherwise to those of the definitions in this machine's own files that
// name it. So a person who may write definitions through the admin API cannot send another's credential elsewhere.
import type { EgressAllowance } from "../../../foundation/http/outgoing/egress-allow.ts";
import { checkTarget, isLoopback } from "../../../foundation/http/outgoing/egress-guard.ts";
import type { Secret } from "../../../foundation/settings.ts";
import type { ProviderDefinition } from "../definition.ts";
import type { DefinitionProblem } from "../definition-problem.ts";
import { hostsOfDefinition } from "../providers.ts";

const prefix = "ATELIER_PROVIDER_";
const hostsSuffix = "_HOSTS";

export interface ProviderCredentials {
  credentialOf(setting: string, hosts: readonly string[]): Secret | null;
  // Whether the operator of this machine named the host, so that nothing needs to be guarded.
  isOwnHost(host: string): boolean;
  // Why a definition from elsewhere may not be served here.
  targetProblems(definition: ProviderDefinition): readonly DefinitionProblem[];
}

export interface ProviderCredentialsDeps {
  // The operator's.
  readonly secrets: ReadonlyMap<string, Secret>;
  // From files and shipped ones.
  readonly own: readonly ProviderDefinition[];
  // What this process brings itself, with credentials that were made for it: the sandbox.
  readonly builtIn?: BuiltInProviders;
  // Whether this server can be reached from this machine only: then providers on it may be used too.
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
  const builtInHosts = new Set(builtIn.definitions.flatMap(hostsOfDefinition));
  const ownHosts = new Set([
    ...own.flatMap(hostsOfDefinition),
    ...builtInHosts,
    ...[...secrets.keys()].flatMap((name) => [...(namedHosts(secrets, name) ?? [])]),
  ]);

  function hostsOf(setting: string): ReadonlySet<string> {
    const named = namedHosts(secrets, setting);
    if (named !== null) return named;
    const users = own.filter(({ credential }) => credential.kind !== "none" && credential.setting === setting);
    return new Set(users.flatMap(hostsOfDefinition));
  }

  const isOwnHost = (host: string) =>
    ownHosts.has(host) ||
    (isLocal && isLoopback((URL.parse(`http://${host}`)?.hostname ?? "").replace(/^\[|\]$/g, "")));

  return {
    isOwnHost,
    credentialOf(setting, hosts) {
      // One that was made for the sandbox goes there and nowhere else, and nothing of the operator's goes there by the
      // same name: each of the two counts where it was made or entered for.
      const made = builtIn.secrets.get(setting);
      if (made && hosts.every((host) => builtInHosts.has(host))) return made;
      const secret = secrets.get(setting);
      const bound = hostsOf(setting);
      return secret && hosts.every((host) => bound.has(host)) ? secret : null;
    },
    targetProblems(definition) {
      const hosts = hostsOfDefinition(definition);
      const { credential, base_url } = definition;
      const scheme = new URL(base_url).protocol;
      const problems = hosts
        .filter((host) => !isOwnHost(host) && !checkTarget(`${scheme}//${host}/`, { allowHttp: false, allow }).ok)
        .map((host) => ({
          path: host === new URL(base_url).host ? "/base_url" : "/models",
          message: `may name public hosts over https only, and ${host} is none: open it with ATELIER_EGRESS_ALLOW=partners=${host}, or put such a provider into a file`,
        }));
      if (credential.kind === "none" || !secrets.has(credential.setting)) return problems;
      if (builtIn.secrets.has(credential.setting) && hosts.every((host) => builtInHosts.has(host))) return problems;
      const bound = hostsOf(credential.setting);
      const foreign = hosts.filter((host) => !bound.has(host));
      if (foreign.length === 0) return problems;
      const { setting } = credential;
      const message = `${setting} was not entered for ${foreign.join(", ")}: name its hosts in ${setting}${hostsSuffix}`;
      return [...problems, { path: "/credential/setting", message }];
    },
  };
}

// A setting that says where a credential may go is no credential.
export function isHostList(setting: string): boolean {
  return setting.endsWith(hostsSuffix);
}

// The hosts that the operator named for a credential; null: none were named.
function namedHosts(secrets: ReadonlyMap<string, Secret>, setting: string): ReadonlySet<string> | null {
  const text = secrets.get(`${setting}${hostsSuffix}`)?.reveal();
  if (text === undefined) return null;
  return new Set(text.split(/[\s,]+/).flatMap((host) => (host === "" ? [] : [host.toLowerCase()])));
}

// Where the operator named hosts for a credential, it goes to no others. `foreign` is one of the hosts that it may not go to.
export function secretWithin(
  secrets: ReadonlyMap<string, Secret>,
  setting: string,
  hosts: readonly string[],
): { readonly secret: Secret | null; readonly foreign?: string } {
  const named = namedHosts(secrets, setting);
  const foreign = named === null ? undefined : hosts.find((host) => !named.has(host));
  return foreign === undefined ? { secret: secrets.get(setting) ?? null } : { secret: null, foreign };
}

export function providerSecrets(env: Readonly<Record<string, string | undefined>>, make: (text: string) => Secret) {
  const found = Object.entries(env).flatMap(([name, value]): [string, Secret][] =>
    name.startsWith(prefix) && value ? [[name, make(value)]] : [],
  );
  return new Map(found);
}
