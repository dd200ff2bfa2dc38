// Decides whether we may call a URL that a caller gave us. Default deny: only https to a public name or public unicast address
// on an allowed port, and what the operator opened (egress-allow.ts). Pure: resolves no names and opens no sockets;
// guarded-client.ts does both and checks every address it gets.
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { allowancesFor, type EgressAllowance, isMetadataAddress } from "./egress-allow.ts";

export interface EgressPolicy {
  readonly allowHttp: boolean;
  // Default 443, plus 80 if http is allowed.
  readonly ports?: readonly number[];
  // Exact loopback `host:port` targets for development on one machine, over http or https: "127.0.0.1:3000",
  // "[::1]:3000", "localhost:3000". Anything that is not loopback is ignored here.
  readonly developmentTargets?: readonly string[];
  // Never reachable, not even as a development target: our own listeners and the application's.
  readonly ownPorts?: readonly number[];
  // Public ranges of the operator's own network, in CIDR form.
  readonly denyRanges?: readonly string[];
  // The entries that the operator opened for this purpose.
  readonly allow?: readonly EgressAllowance[];
}

export type EgressRefusal = "too_long" | "malformed" | "scheme" | "userinfo" | "port" | "name" | "address";

export type TargetVerdict =
  | {
      readonly ok: true;
      readonly url: URL;
      // Without brackets.
      readonly host: string;
      readonly port: number;
      // Set if the host is an address and not a name; already checked.
      readonly literal?: string;
      readonly development: boolean;
      // Whether it may be called at a public address.
      readonly isPublic: boolean;
      // The operator's entries that permit calling it at a private one.
      readonly allowances: readonly EgressAllowance[];
    }
  | { readonly ok: false; readonly reason: EgressRefusal };

export type AddressVerdict =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly reason: "address" };

const urlCharactersMax = 2048;
const refuse = (reason: EgressRefusal) => ({ ok: false, reason }) as const;

export function checkTarget(urlText: string, policy: EgressPolicy): TargetVerdict {
  if (urlText.length > urlCharactersMax) return refuse("too_long");
  const url = readUrl(urlText);
  if (url === null) return refuse("malformed");
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("scheme");
  if (url.username !== "" || url.password !== "" || authorityOf(urlText).includes("@")) return refuse("userinfo");

  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const literal = isIP(host) === 0 ? {} : { literal: host };
  if (policy.ownPorts?.includes(port) && (isLoopback(host) || host === "localhost")) return refuse("port");
  if (isDevelopmentTarget(url.hostname, port, policy))
    return { ok: true, url, host, port, ...literal, development: true, isPublic: false, allowances: [] };

  const allowances = allowancesFor(host, port, policy.allow);
  const refusal = refusalAsPublic(url, host, port, policy);
  if (refusal !== null && allowances.length === 0) return refuse(refusal);
  return { ok: true, url, host, port, ...literal, development: false, isPublic: refusal === null, allowances };
}

function refusalAsPublic(url: URL, host: string, port: number, policy: EgressPolicy): EgressRefusal | null {
  if (url.protocol === "http:" && !policy.allowHttp) return "scheme";
  if (!(policy.ports ?? (policy.allowHttp ? [443, 80] : [443])).includes(port)) return "port";
  if (isIP(host) === 0) return isPublicName(host) ? null : "name";
  return checkAddress(host, policy).ok ? null : "address";
}

// Checks one address, resolved or literal. Only public unicast passes. Every form of IPv6 that embeds an IPv4 address is
// refused, because a foreign gateway decides what it reaches.
export function checkAddress(address: string, policy: Pick<EgressPolicy, "denyRanges">): AddressVerdict {
  const no = { ok: false, reason: "address" } as const;
  if (isIP(address) === 0 || address.includes("%")) return no;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || isMetadataAddress(address)) return no;
  if (parsed instanceof ipaddr.IPv6 && !isPlainGlobalUnicast(parsed)) return no;
  for (const range of policy.denyRanges ?? []) {
    const [network, bits] = ipaddr.parseCIDR(range);
    if (network.kind() === parsed.kind() && parsed.match(network, bits)) return no;
  }
  return { ok: true, address: parsed.toString() };
}

// Compares addresses regardless of spelling: `::1` and `0:0:0:0:0:0:0:1`.
export function isSameAddress(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return false;
  return ipaddr.parse(one).toString() === ipaddr.parse(other).toString();
}

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === "loopback";
}

// The URL parser silently drops tabs and line breaks and turns backslashes into slashes; another parser of the same text may
// not. So we refuse such texts instead of repairing them.
function readUrl(text: string): URL | null {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0x7f || code === 0x5c) return null;
  }
  return URL.parse(text);
}

function authorityOf(text: string): string {
  return /^[^:/?#]*:\/*([^/?#]*)/.exec(text)?.[1] ?? "";
}

function isDevelopmentTarget(hostname: string, port: number, policy: EgressPolicy): boolean {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (host !== "localhost" && !isLoopback(host)) return false;
  return policy.developmentTargets?.some((target) => target.toLowerCase() === `${hostname}:${port}`) ?? false;
}

// Special-use names, and names that mean something only inside a local network.
const localSuffixes =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|arpa|onion|invalid|test)$/;

// The parser has already lower-cased the name, mapped IDN dots and encoded other scripts as ASCII.
function isPublicName(name: string): boolean {
  if (name.length > 253 || localSuffixes.test(name)) return false;
  const labels = name.split(".");
  // A trailing dot leaves an empty last label. A single label means something only inside a network.
  return labels.length >= 2 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

// Only 2000::/3 is assigned. ISATAP puts an IPv4 address behind 0:5efe under any prefix.
function isPlainGlobalUnicast(address: ipaddr.IPv6): boolean {
  const [first = 0, , , , fifth = 0, sixth] = address.parts;
  const isIsatap = sixth === 0x5efe && (fifth & 0xfdff) === 0;
  return first >= 0x2000 && first <= 0x3fff && !isIsatap;
}
