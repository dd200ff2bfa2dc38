// Resolves customers' host names over the network, never through the system's resolver: that one blocks one of the few threads
// that all file access of this process shares, for as long as a hostile name server likes. We have no business calling names
// that only this machine knows; `localhost`, for development, needs no lookup.
import { Resolver } from "node:dns/promises";
import type { Resolve } from "./guarded-client.ts";

export function publicNameResolver(
  options: { readonly servers?: readonly string[]; readonly timeoutMs?: number } = {},
): Resolve {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 1_200, tries: 2 });
  if (options.servers) resolver.setServers([...options.servers]);
  return async (name) => {
    if (name === "localhost") return ["127.0.0.1", "::1"];
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [four, six].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0 && four.status === "rejected") throw four.reason;
    return addresses;
  };
}
