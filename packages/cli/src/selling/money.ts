// Amounts of money: in minor units on the wire, such as 19.00 EUR for people.
export function moneyText(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  return `${(minor / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`;
}

// Null: not an amount with a currency, or more decimal places than the currency has.
export function readMoney(text: string): { readonly minor: number; readonly currency: string } | null {
  const [, whole, part = "", currency] = /^(\d{1,12})(?:\.(\d{1,3}))? ?([A-Za-z]{3})$/.exec(text) ?? [];
  if (whole === undefined || currency === undefined) return null;
  const digits = digitsOf(currency);
  if (part.length > digits) return null;
  return {
    minor: Number(whole) * 10 ** digits + Number(part.padEnd(digits, "0") || "0"),
    currency: currency.toLowerCase(),
  };
}

function digitsOf(currency: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
