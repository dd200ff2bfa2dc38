// An amount in minor units for people: 1900 and eur are "19.00 EUR".
export function moneyText(minor: number, currency: string): string {
  const digits = fractionDigits(currency);
  const [whole = "0", rest] = (Math.abs(minor) / 10 ** digits).toFixed(digits).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${minor < 0 ? "-" : ""}${grouped}${rest === undefined ? "" : `.${rest}`} ${currency.toUpperCase()}`;
}

function fractionDigits(currency: string): number {
  try {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}
