// Providers' credentials and the hosts they were entered for (decisions, section 3). A credential goes to the hosts of
// the setting <NAME>_HOSTS where there is one, otherwise to those of the definitions in this machine's own files that
// name it. So whoever may write definitions through the admin API cannot send somebody's credential elsewhere.
import type { DefinitionProblem, ProviderDefinition } from "../capabilities/providers/index.ts";
import { hostsOfDefinition } from "../capabilities/providers/index.ts";
import { checkTarget, isLoopback } from "../foundation/http/egress-guard.ts";
import type { Secret } from "../foundation/settings.ts";

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
  readonly secrets: ReadonlyMap<string, Secret>;
  // From files and from this process itself.
  readonly own: readonly ProviderDefinition[];
  // Whether this server can be reached from this machine only: then providers on it may be used too.
  readonly isLocal: boolean;
}

export function createProviderCredentials({ secrets, own, isLocal }: ProviderCredentialsDeps): ProviderCredentials {
  const ownHosts = new Set([...own.flatMap(hostsOfDefinition), ...[...secrets.keys()].flatMap((name) => named(name))]);

  function named(setting: string): string[] {
    const text = secrets.get(`${setting}${hostsSuffix}`)?.reveal();
    return (text ?? "").split(/[\s,]+/).flatMap((host) => (host === "" ? [] : [host.toLowerCase()]));
  }

  function hostsOf(setting: string): ReadonlySet<string> {
    if (secrets.has(`${setting}${hostsSuffix}`)) return new Set(named(setting));
    const users = own.filter(({ credential }) => credential.kind !== "none" && credential.setting === setting);
    return new Set(users.flatMap(hostsOfDefinition));
  }

  const isOwnHost = (host: string) =>
    ownHosts.has(host) ||
    (isLocal && isLoopback((URL.parse(`http://${host}`)?.hostname ?? "").replace(/^\[|\]$/g, "")));

  return {
    isOwnHost,
    credentialOf(setting, hosts) {
      const secret = secrets.get(setting);
      const bound = hostsOf(setting);
      return secret && hosts.every((host) => bound.has(host)) ? secret : null;
    },
    targetProblems(definition) {
      const hosts = hostsOfDefinition(definition);
      const { credential, base_url } = definition;
      const scheme = new URL(base_url).protocol;
      const problems = hosts
        .filter((host) => !isOwnHost(host) && !checkTarget(`${scheme}//${host}/`, { allowHttp: false }).ok)
        .map((host) => ({
          path: host === new URL(base_url).host ? "/base_url" : "/models",
          message: `may name public hosts over https only, and ${host} is none: put such a provider into a file`,
        }));
      if (credential.kind === "none" || !secrets.has(credential.setting)) return problems;
      const bound = hostsOf(credential.setting);
      const foreign = hosts.filter((host) => !bound.has(host));
      if (foreign.length === 0) return problems;
      const { setting } = credential;
      const message = `${setting} was not entered for ${foreign.join(", ")}: name its hosts in ${setting}${hostsSuffix}`;
      return [...problems, { path: "/credential/setting", message }];
    },
  };
}

export function providerSecrets(env: Readonly<Record<string, string | undefined>>, make: (text: string) => Secret) {
  const found = Object.entries(env).flatMap(([name, value]): [string, Secret][] =>
    name.startsWith(prefix) && value ? [[name, make(value)]] : [],
  );
  return new Map(found);
}
