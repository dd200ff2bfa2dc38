// The most a call may cost. It goes in the X-Service-Max-Credits header, and the server refuses the call before running it.
export function limitHeader(maxCredits: string | number | undefined): Readonly<Record<string, string>> {
  return maxCredits === undefined ? {} : { "x-service-max-credits": decimalOf(maxCredits) };
}

// Never an exponent, and no more digits than a credit has. Rounded down, so we never allow more than the caller did.
function decimalOf(credits: string | number): string {
  if (typeof credits === "string") return credits;
  if (!Number.isFinite(credits)) throw new RangeError(`maxCredits must be an amount, not ${credits}.`);
  const text = String(credits);
  if (/^\d+(\.\d{1,6})?$/.test(text)) return text;
  return credits < 0 ? text : (Math.floor(credits * 1e6) / 1e6).toFixed(6).replace(/\.?0+$/, "");
}
