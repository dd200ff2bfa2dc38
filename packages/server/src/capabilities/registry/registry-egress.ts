// The registry's outgoing requests (to an upstream registry or the code host) go through the guarded client. An address on this
// machine is reachable only if the operator named exactly that one.
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import { type EgressAllowance, readAllowance } from "../../foundation/http/outgoing/egress-allow.ts";
import { checkTarget, type EgressPolicy, type EgressRefusal } from "../../foundation/http/outgoing/egress-guard.ts";
import { allowancesOf, type EgressSettings } from "../../foundation/http/outgoing/egress-policies.ts";

export interface RegistryAddresses extends EgressSettings {
  readonly registryUpstream: string | null;
  readonly registryUpstreamContent: string | null;
  readonly codeHostApiUrl: string | null;
}

// Problems with an address that the guard would never allow, and with one on this machine if others can reach us, since callers
// could reach it through us. A start refuses them, so that no caller waits for an answer that never comes.
export function addressProblems(config: RegistryAddresses, isDevelopment: boolean): string[] {
  const named = [
    ["ATELIER_REGISTRY_UPSTREAM", config.registryUpstream],
    ["ATELIER_REGISTRY_UPSTREAM_CONTENT", config.registryUpstreamContent],
    ["ATELIER_CODE_HOST_API_URL", config.codeHostApiUrl],
  ] as const;
  const policy = registryPolicy(config);
  return named.flatMap(([name, url]) => {
    if (url === null) return [];
    const verdict = checkTarget(url, policy);
    if (!verdict.ok) return [`${name} ${refusals[verdict.reason]}: ${url}`];
    return verdict.development && !isDevelopment ? [`${name} ${onThisMachine}`] : [];
  });
}

const onThisMachine =
  "is on this machine, which is allowed in development only: this server listens beyond loopback, or has a public URL (ATELIER_BASE_URL or a similar setting).";

const refusals: Readonly<Record<EgressRefusal, string>> = {
  too_long: "is too long",
  malformed: "is not a URL",
  scheme: "must be https",
  userinfo: "must not contain a user name or password",
  port: "has a port that is not allowed",
  name: "has no valid host",
  address: "is a loopback, link-local or metadata address, which is never allowed",
};

// The operator wrote these addresses, so each may be on a private network, at exactly that host and port. Other addresses in an
// upstream's answers must be public, or opened with ATELIER_EGRESS_ALLOW=registry=….
export function registryPolicy(config: RegistryAddresses): EgressPolicy {
  const named = [config.registryUpstream, config.registryUpstreamContent, config.codeHostApiUrl];
  const urls = named.flatMap((text) => (text ? [new URL(text)] : []));
  const isHere = ({ hostname }: URL) => isLoopback(hostname.replace(/^\[|\]$/g, "")) || hostname === "localhost";
  return {
    allowHttp: urls.some((url) => url.protocol === "http:" && !isHere(url)),
    ports: [443, ...urls.filter((url) => !isHere(url)).map(portOf)],
    allow: [...allowancesOf(config, "registry"), ...urls.flatMap(ownAllowance)],
    developmentTargets: urls.filter(isHere).map((url) => `${url.hostname}:${portOf(url)}`),
  };
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === "http:" ? 80 : 443));

function ownAllowance(url: URL): readonly EgressAllowance[] {
  const read = readAllowance(`registry=${url.hostname}:${portOf(url)}`);
  return read.ok ? [read.allowance] : [];
}
