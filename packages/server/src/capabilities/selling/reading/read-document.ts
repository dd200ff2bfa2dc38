// The figures and words of an invoice, as the provider sent them. Taxes are the provider's: nothing is added up or rounded here.
import type { InvoiceDocument, InvoiceLine } from "../invoice/invoice-document.ts";
import { at, idAt, integerAt, listAt, textAt } from "./json-path.ts";

interface ReadLine extends InvoiceLine {
  readonly price: string | null;
  readonly isProration: boolean;
  readonly from: number | null;
  readonly until: number | null;
}

const linesMax = 100;

export function readLines(invoice: unknown): ReadLine[] {
  return listAt(invoice, "lines", "data")
    .slice(0, linesMax)
    .map((line) => ({
      text: textAt(line, "description") ?? "",
      quantity: integerAt(line, "quantity"),
      amount: integerAt(line, "amount") ?? 0,
      price: idAt(line, "pricing", "price_details", "price") ?? idAt(line, "price") ?? idAt(line, "plan"),
      isProration:
        at(line, "proration") === true || at(line, "parent", "subscription_item_details", "proration") === true,
      from: integerAt(line, "period", "start"),
      until: integerAt(line, "period", "end"),
    }));
}

export function readInvoiceDocument(invoice: unknown): InvoiceDocument {
  const total = integerAt(invoice, "total") ?? 0;
  return {
    number: textAt(invoice, "number"),
    customer: {
      name: textAt(invoice, "customer_name"),
      email: textAt(invoice, "customer_email"),
      address: addressOf(at(invoice, "customer_address")),
      taxIds: listAt(invoice, "customer_tax_ids").flatMap((id) => textAt(id, "value") ?? []),
    },
    lines: readLines(invoice).map(({ text, quantity, amount }) => ({ text, quantity, amount })),
    subtotal: integerAt(invoice, "subtotal"),
    discount: sumOf(listAt(invoice, "total_discount_amounts")),
    taxes: taxesOf(invoice),
    total,
    paid: integerAt(invoice, "amount_paid") ?? total,
    url: textAt(invoice, "hosted_invoice_url"),
  };
}

export function readCheckoutDocument(session: unknown): InvoiceDocument {
  const details = at(session, "customer_details");
  const total = integerAt(session, "amount_total") ?? 0;
  const tax = integerAt(session, "total_details", "amount_tax");
  return {
    number: null,
    customer: {
      name: textAt(details, "name"),
      email: textAt(details, "email"),
      address: addressOf(at(details, "address")),
      taxIds: listAt(details, "tax_ids").flatMap((id) => textAt(id, "value") ?? []),
    },
    lines: [{ text: "", quantity: 1, amount: integerAt(session, "amount_subtotal") ?? total }],
    subtotal: integerAt(session, "amount_subtotal"),
    discount: integerAt(session, "total_details", "amount_discount"),
    taxes: tax === null || tax === 0 ? [] : [{ label: "Tax", amount: tax }],
    total,
    paid: total,
    url: null,
  };
}

function addressOf(address: unknown): string[] {
  const town = [textAt(address, "postal_code"), textAt(address, "city")].filter((part) => part !== null).join(" ");
  return [
    ...[textAt(address, "line1"), textAt(address, "line2"), town === "" ? null : town],
    ...[textAt(address, "state"), textAt(address, "country")],
  ].filter((line) => line !== null);
}

// Null if there is none. The provider lists a discount's parts only.
function sumOf(parts: readonly unknown[]): number | null {
  return parts.length === 0 ? null : parts.reduce<number>((sum, part) => sum + (integerAt(part, "amount") ?? 0), 0);
}

function taxesOf(invoice: unknown): InvoiceDocument["taxes"] {
  const named = listAt(invoice, "total_tax_amounts").map((tax) => ({
    label: textAt(tax, "tax_rate", "display_name") ?? "Tax",
    amount: integerAt(tax, "amount") ?? 0,
  }));
  const newer = listAt(invoice, "total_taxes").map((tax) => ({ label: "Tax", amount: integerAt(tax, "amount") ?? 0 }));
  const whole = integerAt(invoice, "tax");
  if (named.length > 0) return named;
  if (newer.length > 0) return newer;
  return whole === null || whole === 0 ? [] : [{ label: "Tax", amount: whole }];
}
