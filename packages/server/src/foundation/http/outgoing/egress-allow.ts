// Private networks that the operator opened, one entry per purpose: `webhooks=10.1.0.0/16:*`, `outputs=minio.lan:9000`.
// An entry permits what the guard otherwise refuses: private addresses, other ports, plain http. It never permits loopback,
// link-local or a cloud's metadata address, not even as part of a larger network.
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export const egressPurposes = ["webhooks", "outputs", "scale", "registry", "partners", "weights", "safety"] as const;
export type EgressPurpose = (typeof egressPurposes)[number];

export interface EgressAllowance {
  readonly purpose: EgressPurpose;
  // As the operator wrote it, for doctor and the console.
  readonly text: string;
  readonly target: { readonly host: string } | { readonly network: readonly [ipaddr.IPv4 | ipaddr.IPv6, number] };
  // Empty means every port.
  readonly ports: readonly number[];
}

export type AllowanceReading = { readonly ok: true; readonly allowance: EgressAllowance } | Unreadable;
interface Unreadable {
  readonly ok: false;
  readonly problem: string;
}

const shape = "is not like webhooks=10.1.0.0/16:*, outputs=minio.lan:9000 or scale=[fd12::/16]:8443";
const unreadable = (problem: string): Unreadable => ({ ok: false, problem });

export function readAllowance(text: string): AllowanceReading {
  const [, purposeText, target, portText] = /^([a-z]+)=(\[[^\]]+\]|[^[\]:]+)(?::(\*|\d{1,5}))?$/.exec(text) ?? [];
  if (purposeText === undefined || target === undefined) return unreadable(shape);
  const purpose = egressPurposes.find((known) => known === purposeText);
  if (purpose === undefined) return unreadable(`has an unknown purpose; the purposes are ${egressPurposes.join(", ")}`);
  const port = Number(portText);
  if (portText !== undefined && portText !== "*" && (port < 1 || port > 65_535))
    return unreadable("has a port outside 1 to 65535");
  const ports = portText === undefined ? [443, 80] : portText === "*" ? [] : [port];
  const read = readTarget(target.startsWith("[") ? target.slice(1, -1) : target);
  return typeof read === "string" ? unreadable(read) : { ok: true, allowance: { purpose, text, target: read, ports } };
}

function readTarget(text: string): EgressAllowance["target"] | string {
  const [address = "", bits] = text.split("/");
  if (isIP(address) !== 0) {
    const parsed = ipaddr.parse(address);
    const width = parsed.kind() === "ipv4" ? 32 : 128;
    const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (!(prefix >= 0 && prefix <= width)) return `has a prefix that is not 0 to ${width}`;
    if (prefix === width && isNeverAllowed(parsed.toString()))
      return "is a loopback, link-local or metadata address, which is never allowed";
    return { network: [parsed, prefix] };
  }
  if (/^\d[\d./]*$/.test(text)) return "is not an address or a network";
  const host = text.toLowerCase();
  if (!/^(?:\*\.)?[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/.test(host)) return shape;
  return host === "localhost" || host.endsWith(".localhost")
    ? "is this machine, which is never allowed; for development use atelier webhooks allow"
    : { host };
}

// The entries that could permit a request to this host and port. A name that no entry lists may still resolve into an open
// network; that is checked after resolving it.
export function allowancesFor(
  host: string,
  port: number,
  allow: readonly EgressAllowance[] | undefined,
): readonly EgressAllowance[] {
  if (allow === undefined || allow.length === 0) return [];
  const isLiteral = isIP(host) !== 0;
  return allow.filter(({ target, ports }) => {
    if (ports.length > 0 && !ports.includes(port)) return false;
    if ("host" in target) return !isLiteral && matchesHost(host, target.host);
    return isLiteral ? isWithin(host, target.network) : true;
  });
}

// Whether the operator wrote this exact name, which allows us to resolve it with this machine's own resolver.
export function isNamedByOperator(host: string, allowances: readonly EgressAllowance[]): boolean {
  return allowances.some(({ target }) => "host" in target && target.host === host);
}

// Checks one resolved address against the entries of its request.
export function isAddressAllowed(address: string, allowances: readonly EgressAllowance[]): boolean {
  if (isIP(address) === 0 || address.includes("%") || isNeverAllowed(address)) return false;
  return allowances.some(({ target }) => "host" in target || isWithin(address, target.network));
}

function matchesHost(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function isWithin(address: string, [network, bits]: readonly [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  if (isNeverAllowed(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === network.kind() && parsed.match(network, bits);
}

// Addresses where clouds hand out credentials to any caller inside. The link-local ones are refused by their range.
const metadataAddresses: ReadonlySet<string> = new Set([
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  ipaddr.parse("fd00:ec2::254").toString(),
  ipaddr.parse("fd20:ce::254").toString(),
]);

export function isMetadataAddress(address: string): boolean {
  return isIP(address) !== 0 && metadataAddresses.has(ipaddr.parse(address).toString());
}

const allowedRanges: ReadonlySet<string> = new Set(["private", "carrierGradeNat", "uniqueLocal", "unicast"]);

function isNeverAllowed(address: string): boolean {
  return isMetadataAddress(address) || !allowedRanges.has(ipaddr.parse(address).range());
}
