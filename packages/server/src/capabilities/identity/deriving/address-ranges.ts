// Ranges of addresses that a token works from. Two ranges overlap only if one includes the other.
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;

export interface AddressRange {
  // In one spelling: the first address of the range and its bits.
  readonly text: string;
  readonly base: Address;
  readonly bits: number;
}

export function readRange(text: string): AddressRange | null {
  try {
    const [given, bitsText] = splitRange(text);
    if (!ipaddr.IPv4.isValidFourPartDecimal(given) && !ipaddr.IPv6.isValid(given)) return null;
    const address = ipaddr.process(given);
    const wasMapped = address.kind() === "ipv4" && given.includes(":");
    const most = address.kind() === "ipv4" ? 32 : 128;
    const bits = bitsText === null ? most : Number(bitsText) - (wasMapped ? 96 : 0);
    if (!Number.isInteger(bits) || bits < 0 || bits > most) return null;
    const first = firstOf(address, bits);
    return { text: `${first.toString()}/${bits}`, base: first, bits };
  } catch {
    return null;
  }
}

function splitRange(text: string): readonly [string, string | null] {
  const mark = text.indexOf("/");
  return mark === -1 ? [text, null] : [text.slice(0, mark), text.slice(mark + 1)];
}

function firstOf(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, at) => {
    const kept = Math.min(8, Math.max(0, bits - at * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}

export function includesAddress(ranges: readonly AddressRange[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  return ranges.some((range) => includes(range, ipaddr.process(text)));
}

function includes({ base, bits }: AddressRange, address: Address): boolean {
  return base.kind() === address.kind() && address.match(base, bits);
}

// What is in both lists, as ranges in their one spelling.
export function narrowRanges(some: readonly string[], others: readonly string[]): readonly string[] {
  const [one, two] = [some, others].map((texts) => texts.flatMap((text) => readRange(text) ?? []));
  const within = (inner: readonly AddressRange[] = [], outer: readonly AddressRange[] = []) =>
    inner.filter(({ base, bits }) => outer.some((range) => range.bits <= bits && includes(range, base)));
  return [...new Set([...within(one, two), ...within(two, one)].map(({ text }) => text))];
}
