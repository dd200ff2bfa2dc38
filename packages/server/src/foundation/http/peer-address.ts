// The caller's address: the socket's peer, unless that peer is a proxy whose range the operator listed.
// X-Forwarded-For is read from the right: the first address that is not a trusted proxy is the caller. Hop counts are never
// trusted.
import ipaddr from "ipaddr.js";
import { attempt } from "../retry.ts";

type Range = ReturnType<typeof ipaddr.parseCIDR>;

export type PeerReader = (socketAddress: string, forwardedFor: string | undefined) => string;

export function peerReader(trustedRanges: readonly string[]): PeerReader {
  if (trustedRanges.length === 0) return (socketAddress) => socketAddress;
  const ranges = trustedRanges.map((text): Range => ipaddr.parseCIDR(text.includes("/") ? text : soleAddress(text)));
  const isTrusted = (text: string) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  };
  return (socketAddress, forwardedFor) => {
    if (forwardedFor === undefined || !isTrusted(socketAddress)) return socketAddress;
    const hops = forwardedFor.split(",").map((hop) => hop.trim());
    for (const hop of hops.reverse()) {
      if (!ipaddr.isValid(hop)) return socketAddress;
      if (!isTrusted(hop)) return hop;
    }
    return socketAddress;
  };
}

function soleAddress(text: string): string {
  return `${text}/${ipaddr.parse(text).kind() === "ipv4" ? 32 : 128}`;
}

// A sentence for people, or null if the text is a valid range or address.
export function checkRange(text: string): string | null {
  const range = attempt(() => (text.includes("/") ? ipaddr.parseCIDR(text) : ipaddr.parse(text)), null);
  return range === null ? "is not an address range such as 10.0.0.0/8" : null;
}
