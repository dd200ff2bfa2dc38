// The way to the providers. Hosts that the operator of this machine named are called as they are; every other host comes
// from a definition that was written through the admin API, and its name must lead to public addresses only. The address
// is judged when the connection is made, so a name that changes its mind gains nothing.
import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Clock } from "../../foundation/clock.ts";
import { checkAddress } from "../../foundation/http/egress-guard.ts";
import { createUpstream, type Upstream } from "../../foundation/http/fetch-upstream.ts";

export interface ProviderUpstreamDeps {
  readonly clock: Clock;
  isOwnHost(host: string): boolean;
}

export function createProviderUpstream({ clock, isOwnHost }: ProviderUpstreamDeps): Upstream {
  const own = createUpstream({ clock });
  const foreign = createUpstream({ clock, lookup: publicLookup });
  return {
    fetch: (request) => (isOwnHost(request.url.host) ? own : foreign).fetch(request),
    close: async () => void (await Promise.all([own.close(), foreign.close()])),
  };
}

export const publicLookup: LookupFunction = (name, options, callback) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "", 0);
    const [first] = addresses;
    const isPublic = addresses.every(({ address }) => checkAddress(address, {}).ok);
    if (!first || !isPublic) return callback(new Error("the name leads to an address that is not public"), "", 0);
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
