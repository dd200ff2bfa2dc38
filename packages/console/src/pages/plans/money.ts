// Amounts of money: in minor units on the wire.
export function formatMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

// "19.00 EUR". Null: not an amount with a currency, or more decimal places than the currency has.
export function readMoney(text: string): { readonly minor: number; readonly currency: string } | null {
  const [, whole, part = "", currency] = /^(\d{1,12})(?:\.(\d{1,3}))?\s*([A-Za-z]{3})$/.exec(text.trim()) ?? [];
  if (whole === undefined || currency === undefined) return null;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  if (part.length > digits) return null;
  return { minor: Number(`${whole}${part.padEnd(digits, "0")}`), currency: currency.toLowerCase() };
}

export function writeMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${(minor / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`;
}
