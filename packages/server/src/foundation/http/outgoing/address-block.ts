// What counts as one address for limits: an IPv4 address, or the /64 of an IPv6 address, since one host can use all of it.
import ipaddr from "ipaddr.js";

export function blockOf(address: string): string {
  if (!address.includes(":")) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return parsed.toByteArray().slice(0, 8).join(".");
}
