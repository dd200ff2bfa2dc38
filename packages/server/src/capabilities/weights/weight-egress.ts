// Where weights may be fetched from: https, and only hosts that the operator listed. A redirect must lead to a listed host
// too, because large files are usually not served from the host of the page that names them.
import { readAllowance } from "../../foundation/http/outgoing/egress-allow.ts";
import type { EgressPolicy } from "../../foundation/http/outgoing/egress-guard.ts";
import { allowancesOf, type EgressSettings } from "../../foundation/http/outgoing/egress-policies.ts";

export interface WeightHosts extends EgressSettings {
  readonly weightHosts: readonly string[];
}

export const weightPolicy = (settings: WeightHosts): EgressPolicy => ({
  allowHttp: false,
  allow: allowancesOf(settings, "weights"),
});

// `*.example` is every host below example. Null if the address is fine.
export function weightUrlProblem(text: string, { weightHosts, egressAllow }: WeightHosts): string | null {
  const url = URL.parse(text);
  if (url === null) return "The address is not a URL.";
  if (url.username !== "" || url.password !== "") return "The address must not contain a user name or password.";
  const opened = egressAllow.flatMap((entry) => {
    const read = readAllowance(entry);
    return read.ok && read.allowance.purpose === "weights" && "host" in read.allowance.target
      ? [read.allowance.target.host]
      : [];
  });
  if (![...weightHosts, ...opened].some((host) => isHost(url.hostname, host)))
    return `Weights may not be fetched from ${url.hostname}. An operator can add it to ATELIER_WEIGHT_HOSTS.`;
  return null;
}

function isHost(name: string, host: string): boolean {
  return host.startsWith("*.") ? name.endsWith(host.slice(1)) && name.length > host.length - 1 : name === host;
}
