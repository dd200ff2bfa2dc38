// An amount in minor units for people: 1900 and eur are "19.00 EUR".
import { attempt } from "../../../foundation/retry.ts";

export function moneyText(minor: number, currency: string): string {
  const digits = fractionDigits(currency);
  const [whole = "0", rest] = (Math.abs(minor) / 10 ** digits).toFixed(digits).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${minor < 0 ? "-" : ""}${grouped}${rest === undefined ? "" : `.${rest}`} ${currency.toUpperCase()}`;
}

function fractionDigits(currency: string): number {
  const format = attempt(() => new Intl.NumberFormat("en", { style: "currency", currency }), null);
  return format?.resolvedOptions().maximumFractionDigits ?? 2;
}
