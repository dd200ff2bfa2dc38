// Amounts of credits, which are decimal strings with at most six decimals. Exact: nothing is lost to floating point.
export function microOf(credits: string): bigint {
  const [whole = "0", decimals = ""] = credits.split(".");
  return BigInt(whole + decimals.slice(0, 6).padEnd(6, "0"));
}

export function creditsText(micro: bigint): string {
  const digits = String(micro).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "");
}
