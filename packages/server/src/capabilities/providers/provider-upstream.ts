// The connection to providers. Hosts named by this machine's operator are called directly. Any other host comes from a
// definition written through the admin API, and its name must resolve only to public addresses or into a network that the
// operator opened for partners. The address is checked when the connection is made, so changing the DNS answer later
// gains nothing.
import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Clock } from "../../foundation/clock.ts";
import { allowancesFor, type EgressAllowance, isAddressAllowed } from "../../foundation/http/outgoing/egress-allow.ts";
import { checkAddress } from "../../foundation/http/outgoing/egress-guard.ts";
import { createUpstream, type Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";

export interface ProviderUpstreamDeps {
  readonly clock: Clock;
  isOwnHost(host: string): boolean;
  // Private networks that the operator opened for partners.
  readonly allow?: readonly EgressAllowance[];
}

export function createProviderUpstream({ clock, isOwnHost, allow = [] }: ProviderUpstreamDeps): Upstream {
  const own = createUpstream({ clock });
  const foreign = createUpstream({ clock, lookup: publicLookup });
  const opened = createUpstream({ clock, lookup: guardedLookup(allow) });
  const choose = ({ host, hostname, port, protocol }: URL): Upstream => {
    if (isOwnHost(host)) return own;
    const number = Number(port || (protocol === "http:" ? 80 : 443));
    return allowancesFor(hostname.replace(/^\[|\]$/g, ""), number, allow).length > 0 ? opened : foreign;
  };
  return {
    fetch: (request) => choose(request.url).fetch(request),
    close: async () => void (await Promise.all([own.close(), foreign.close(), opened.close()])),
  };
}

const guardedLookup =
  (allow: readonly EgressAllowance[]): LookupFunction =>
  (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const [first] = addresses;
      const mayPass = ({ address }: { address: string }) =>
        checkAddress(address, {}).ok || isAddressAllowed(address, allow);
      if (!first || !addresses.every(mayPass))
        return callback(new Error("the name resolves to an address that is not public"), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

export const publicLookup: LookupFunction = guardedLookup([]);
