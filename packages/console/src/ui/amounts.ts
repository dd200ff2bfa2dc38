// Amounts in words, in one style everywhere: durations, sizes, credits, shares.

import { ui as words } from "#strings/ui";
// No trailing zeros, and no second unit that is zero: 5 s, 5.02 s, 1 min, 1 min 3 s.
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "–";
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 2 : 1))} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return twoUnits(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return twoUnits(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

const units = ["B", "kB", "MB", "GB", "TB"];

export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return "–";
  let value = bytes;
  let at = 0;
  while (value >= 999.5 && at < units.length - 1) {
    value /= 1_000;
    at++;
  }
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

// Null if it is not a size. A number alone is bytes; kB, MB, GB and TB are decimal, KiB, MiB, GiB and TiB binary.
export function readBytes(text: string): number | null {
  const found = /^(\d{1,15}(?:\.\d{1,6})?)\s*(?:([kmgt]?)(i?)b)?$/i.exec(text.trim().replaceAll(",", ""));
  if (found === null) return null;
  const [, digits = "", prefix = "", binary = ""] = found;
  const power = ["", "k", "m", "g", "t"].indexOf(prefix.toLowerCase());
  const bytes = Math.round(Number(digits) * (binary === "" ? 1_000 : 1_024) ** power);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

// A whole number, or two decimals at any size, so that columns and sums agree. Below a hundredth, two significant digits, so
// that no charge reads as zero. Credits come as decimal strings or numbers.
export function formatCredits(credits: string | number | null | undefined): string {
  if (credits === null || credits === undefined) return "–";
  const value = Number(credits);
  if (!Number.isFinite(value)) return String(credits);
  if (value !== 0 && Math.abs(value) < 0.01)
    return value.toLocaleString(undefined, { maximumSignificantDigits: 2, maximumFractionDigits: 20 });
  const decimals = Math.abs(value - Math.round(value)) < 0.005 ? 0 : 2;
  return value.toLocaleString(undefined, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

// For a price that is not fixed yet: 10.55–42.20 credits.
export function formatCreditRange(lowest: string | number, highest: string | number): string {
  if (Number(highest) === 0) return words.free;
  const [least, most] = [formatCredits(lowest), formatCredits(highest)];
  return words.credits(least === most ? most : `${least}–${most}`);
}

// A price as the server words it, with its unit: 4.22 credits per megapixel.
export function formatPrice(price: string): string {
  if (price === "0") return words.free;
  const [whole, amount = "", rest = ""] = /^(\d+(?:\.\d+)?)(?: (.+))?$/.exec(price) ?? [];
  if (whole === undefined) return words.inCredits(price);
  return `${words.credits(formatCredits(amount))}${rest === "" ? "" : ` ${rest}`}`;
}

// What an amount of credits is worth: 4.22 credits are 0.02 USD at 211 a dollar. Enough digits to tell small ones apart.
export function formatUsd(credits: number, creditsPerUsd: number): string {
  const digits = { maximumSignificantDigits: 2, maximumFractionDigits: 20 };
  return words.usd((credits / creditsPerUsd).toLocaleString(undefined, digits));
}

export function formatPercent(part: number | null | undefined): string {
  if (part === null || part === undefined) return "–";
  const value = part * 100;
  return `${value === 100 || value === 0 ? value : value.toFixed(value > 99 || value < 1 ? 2 : 1)} %`;
}
