// Names of customers' addresses, asked over the network and never through the system's own look-up: that one blocks one
// of the few threads which all files of this process share, for as long as a hostile name server likes. Names that only
// this machine knows are none of ours to call; `localhost`, for development, needs no question.
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
