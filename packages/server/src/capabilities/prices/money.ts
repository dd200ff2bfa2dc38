// Amounts without floats: credits are decimal texts on the wire and integer micro-credits in the books, and prices are in
// dollars (decisions, section 1). Dollars become micro-credits rounded up, once, at the very end.
export interface Decimal {
  // The number is digits / 10^decimals.
  readonly digits: bigint;
  readonly decimals: number;
}

const microCreditsPerCredit = 1_000_000n;
const creditsPattern = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]{1,6}))?$/;
// The largest value of a bigint column; no wallet holds more.
const microCreditsMax = 2n ** 63n - 1n;

// Exact, and the shortest such text: no trailing zeros, no point without decimals.
export function creditsText(microCredits: bigint): string {
  const positive = microCredits < 0n ? -microCredits : microCredits;
  return `${microCredits < 0n ? "-" : ""}${decimalText({ digits: positive, decimals: 6 })}`;
}

// Null if the text is not in the wire's format for credits, or exceeds what the books can hold.
export function parseCredits(text: string): bigint | null {
  if (text.length > 27) return null;
  const [, sign, whole = "", decimals = ""] = creditsPattern.exec(text) ?? [];
  if (sign === undefined) return null;
  const microCredits = BigInt(whole) * microCreditsPerCredit + BigInt(decimals.padEnd(6, "0"));
  if (microCredits > microCreditsMax) return null;
  return sign === "-" ? -microCredits : microCredits;
}

// Rounded up to the micro-credit (decisions, section 3).
export function toMicroCredits(usd: Decimal, creditsPerUsd: number): bigint {
  return ceilingOf(usd.digits * BigInt(creditsPerUsd) * microCreditsPerCredit, 10n ** BigInt(usd.decimals));
}

// Parses plain, non-negative decimal text without an exponent. Null for anything else.
export function parseDecimal(text: string): Decimal | null {
  const [, whole, fraction = ""] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const decimals = fraction.replace(/0+$/, "");
  return { digits: BigInt(whole + decimals), decimals: decimals.length };
}

export function decimalText({ digits, decimals }: Decimal): string {
  const text = String(digits).padStart(decimals + 1, "0");
  const whole = text.slice(0, text.length - decimals);
  const fraction = text.slice(text.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

// For non-negative integers.
export function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

// Math.max does not accept bigints.
export function largest(...values: readonly bigint[]): bigint {
  let found = values[0] ?? 0n;
  for (const value of values) if (value > found) found = value;
  return found;
}

export function smallest(...values: readonly bigint[]): bigint {
  let found = values[0] ?? 0n;
  for (const value of values) if (value < found) found = value;
  return found;
}
