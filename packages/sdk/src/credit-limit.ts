// The most that a call may cost: a header, refused by the server before anything runs (X-Service-Max-Credits).
export function limitHeader(maxCredits: string | number | undefined): Readonly<Record<string, string>> {
  return maxCredits === undefined ? {} : { "x-service-max-credits": decimalOf(maxCredits) };
}

// Never an exponent, and not more digits than a credit has; rounded down, so that no more is allowed than was said.
function decimalOf(credits: string | number): string {
  if (typeof credits === "string") return credits;
  if (!Number.isFinite(credits)) throw new RangeError(`maxCredits must be an amount, not ${credits}.`);
  const text = String(credits);
  if (/^\d+(\.\d{1,6})?$/.test(text)) return text;
  return credits < 0 ? text : (Math.floor(credits * 1e6) / 1e6).toFixed(6).replace(/\.?0+$/, "");
}
