// An invoice as a page that a bookkeeper can file: who sold, who paid, what, the provider's taxes and totals, and the credits.

import { linesOf } from "./helvetica.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { moneyText } from "./money-text.ts";
import { type PdfPage, type PdfRule, type PdfText, pageWidth, writePdf } from "./pdf-file.ts";

export interface PrintedInvoice {
  readonly document: InvoiceDocument;
  readonly id: string;
  readonly paidAt: Date;
  readonly currency: string;
  readonly refundedMinor: number;
  readonly plan: string | null;
  // As text, in credits.
  readonly credits: string;
  // From the operator's setting. Empty: not set.
  readonly seller: readonly string[];
}

const left = 56;
const right = pageWidth - 56;
const quantityAt = 400;
const bottom = 780;
const gray = 0.4;

export function invoicePdf(invoice: PrintedInvoice): Buffer {
  const { document, id } = invoice;
  const title = `${document.number === null ? "Receipt" : "Invoice"} ${document.number ?? id}`;
  const sheet = createSheet();
  drawHead(sheet, invoice);
  drawLines(sheet, invoice);
  drawTotals(sheet, invoice);
  drawFoot(sheet, invoice);
  return writePdf(title, sheet.pages());
}

type Words = Omit<PdfText, "x" | "y"> & { readonly x?: number };

interface Sheet {
  y: number;
  // Begins a new page if this much does not fit.
  need(points: number): void;
  text(words: Words): void;
  rule(): void;
  pages(): readonly PdfPage[];
}

function createSheet(): Sheet {
  const pages: { texts: PdfText[]; rules: PdfRule[] }[] = [{ texts: [], rules: [] }];
  const last = () => pages.at(-1) ?? { texts: [], rules: [] };
  return {
    y: 72,
    need(points) {
      if (this.y + points <= bottom) return;
      pages.push({ texts: [], rules: [] });
      this.y = 72;
    },
    text(words) {
      last().texts.push({ ...words, x: words.x ?? left, y: this.y });
    },
    rule() {
      last().rules.push({ y: this.y, from: left, to: right });
    },
    pages: () => pages,
  };
}

function drawHead(sheet: Sheet, { document, id, paidAt, seller }: PrintedInvoice): void {
  sheet.text({ text: document.number === null ? "Receipt" : "Invoice", size: 22, face: "bold" });
  const top = sheet.y;
  const facts: readonly (readonly [string, string])[] = [
    ...(document.number === null ? [] : [["Number", document.number] as const]),
    ["Paid on", paidAt.toISOString().slice(0, 10)],
    ["Reference", id],
  ];
  sheet.y += 28;
  for (const [name, value] of facts) {
    sheet.text({ text: name, size: 9, gray });
    sheet.text({ text: value, size: 9, x: left + 62 });
    sheet.y += 14;
  }
  const under = sheet.y;
  sheet.y = top - 6;
  for (const [at, line] of seller.flatMap((text) => linesOf(text, 9, 210)).entries()) {
    sheet.text({ text: line, size: 9, face: at === 0 ? "bold" : "plain", x: right, align: "right" });
    sheet.y += 13;
  }
  sheet.y = Math.max(under, sheet.y) + 18;
  const { name, email, address, taxIds } = document.customer;
  const customer = [
    name ?? email,
    ...address,
    name === null ? null : email,
    ...taxIds.map((tax) => `Tax number ${tax}`),
  ];
  const shown = customer.filter((line) => line !== null);
  if (shown.length === 0) return;
  sheet.text({ text: "Customer", size: 9, gray });
  sheet.y += 15;
  for (const [at, line] of shown.flatMap((text) => linesOf(text, 10, 300)).entries()) {
    sheet.text({ text: line, size: 10, face: at === 0 ? "bold" : "plain" });
    sheet.y += 14;
  }
  sheet.y += 18;
}

function drawLines(sheet: Sheet, { document, currency, plan }: PrintedInvoice): void {
  sheet.need(60);
  sheet.text({ text: "Description", size: 9, gray });
  sheet.text({ text: "Quantity", size: 9, gray, x: quantityAt, align: "right" });
  sheet.text({ text: "Amount", size: 9, gray, x: right, align: "right" });
  sheet.y += 8;
  sheet.rule();
  for (const line of document.lines) {
    const wrapped = linesOf(line.text === "" ? (plan ?? "Credits") : line.text, 10, quantityAt - left - 60);
    sheet.need(wrapped.length * 14 + 10);
    sheet.y += 17;
    sheet.text({ text: line.quantity === null ? "" : String(line.quantity), size: 10, x: quantityAt, align: "right" });
    sheet.text({ text: moneyText(line.amount, currency), size: 10, x: right, align: "right" });
    for (const [at, text] of wrapped.entries()) {
      if (at > 0) sheet.y += 14;
      sheet.text({ text, size: 10 });
    }
  }
  sheet.y += 10;
  sheet.rule();
}

function drawTotals(sheet: Sheet, { document, currency, refundedMinor }: PrintedInvoice): void {
  const { subtotal, discount, taxes, total, paid } = document;
  const sums: readonly (readonly [name: string, amount: number, isBold?: boolean])[] = [
    ...(subtotal === null ? [] : [["Subtotal", subtotal] as const]),
    ...(discount === null || discount === 0 ? [] : [["Discount", -discount] as const]),
    ...taxes.map(({ label, amount }) => [label, amount] as const),
    ["Total", total, true],
    ["Paid", paid],
    ...(refundedMinor === 0 ? [] : [["Refunded or disputed", -refundedMinor] as const]),
  ];
  sheet.need(sums.length * 16 + 20);
  for (const [name, amount, isBold = false] of sums) {
    sheet.y += 16;
    const face = isBold ? "bold" : "plain";
    sheet.text({ text: name, size: 10, face, x: quantityAt, align: "right" });
    sheet.text({ text: moneyText(amount, currency), size: 10, face, x: right, align: "right" });
  }
}

function drawFoot(sheet: Sheet, { plan, credits }: PrintedInvoice): void {
  sheet.need(60);
  sheet.y += 34;
  sheet.text({ text: "Credits added", size: 9, gray });
  sheet.text({ text: `${credits}${plan === null ? "" : ` (${plan})`}`, size: 9, x: left + 82 });
  sheet.y += 18;
  sheet.text({ text: "Amounts and taxes as worked out by the payment provider.", size: 8, gray });
}
