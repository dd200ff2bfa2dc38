// The origins of our own console: the public URLs and, on a development machine, every name of the listener.
import { hostsOf, isLoopback, loopbackNames } from "../foundation/http/loopback-guard.ts";
import type { AddressSettings } from "./own-addresses.ts";

export function consoleOrigins(
  config: Pick<AddressSettings, "host" | "baseUrl" | "platformUrl">,
  baseUrl: () => string,
): () => ReadonlySet<string> {
  let known: { readonly at: string; readonly origins: ReadonlySet<string> } | null = null;
  return () => {
    const at = baseUrl();
    if (known?.at !== at) known = { at, origins: originsOf(config, at) };
    return known.origins;
  };
}

function originsOf(config: Parameters<typeof consoleOrigins>[0], baseUrl: string): ReadonlySet<string> {
  const { origin, port } = new URL(baseUrl);
  const configured = [config.baseUrl, config.platformUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin]));
  const hasNames = isLoopback(config.host) && config.baseUrl === null;
  const names = hasNames ? hostsOf(loopbackNames, Number(port || 80)) : [];
  return new Set([origin, ...configured, ...names.map((host) => `http://${host}`)]);
}
