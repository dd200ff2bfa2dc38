// The servers and the prefix in a NATS address. Null for other kinds of bus.
export function natsAddressOf(bus: string): { readonly servers: readonly string[]; readonly prefix: string } | null {
  if (!/^(?:nats|tls):/.test(bus)) return null;
  const parts = bus.split(",");
  const prefix = /[^/:]\/([\w-]+)$/.exec(bus)?.[1] ?? "atelier";
  return { servers: parts.map((part) => part.replace(/^(\w+:\/\/[^/]+).*$/, "$1")), prefix };
}
