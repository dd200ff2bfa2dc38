import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeText, linesOf, widthOf } from "./helvetica.ts";
import { invoicePdf, type PrintedInvoice } from "./invoice-pdf.ts";
import { moneyText } from "./money-text.ts";

const invoice: PrintedInvoice = {
  id: "0192f0c1-0000-7000-8000-000000000000",
  paidAt: new Date("2026-11-01T10:00:00Z"),
  currency: "eur",
  refundedMinor: 0,
  plan: "Studio",
  credits: "2,000",
  seller: ["Example Pictures GmbH", "Lindenallee 4, 10115 Berlin", "VAT DE123456789"],
  document: {
    number: "A-0001",
    customer: {
      name: "Zażółć (Łódź) \\ Studio)",
      email: "ada@studio.example",
      address: ["Hauptstraße 1", "1010 Wien", "AT"],
      taxIds: ["ATU12345678"],
    },
    lines: [{ text: "1 × Studio (at €19.00 / month)", quantity: 1, amount: 1900 }],
    subtotal: 1900,
    discount: null,
    taxes: [{ label: "VAT 20%", amount: 380 }],
    total: 2280,
    paid: 2280,
    url: null,
  },
};

test("text is written in Windows-1252; other letters lose their marks, and what has none becomes a question mark", () => {
  assert.deepEqual([...encodeText("€ é ß –")], [0x80, 0x20, 0xe9, 0x20, 0xdf, 0x20, 0x96]);
  assert.equal(encodeText("Žižkův Łódź").toString("latin1"), "\x8ei\x9ekuv L\xf3dz");
  assert.equal(encodeText("株式").toString("latin1"), "??");
  assert.equal(encodeText("a\u0301").toString("latin1"), "\xe1");
});

test("widths come from the faces, and long words are cut", () => {
  assert.equal(widthOf("100.00", 10, "plain"), 5 * 5.56 + 2.78);
  assert.equal(widthOf("é", 10, "bold"), 5.56);
  assert.deepEqual(linesOf("one two three", 10, 40), ["one two", "three"]);
  for (const line of linesOf("x".repeat(300), 10, 100)) assert.ok(widthOf(line, 10, "plain") <= 100);
});

test("minor units follow the currency", () => {
  assert.equal(moneyText(123456789, "eur"), "1,234,567.89 EUR");
  assert.equal(moneyText(1900, "jpy"), "1,900 JPY");
  assert.equal(moneyText(-5, "usd"), "-0.05 USD");
  assert.equal(moneyText(100, "???"), "1.00 ???");
});

test("the table of a file says where each object is, equal invoices are equal bytes, and no name ends a string", () => {
  const pdf = invoicePdf(invoice);
  assert.deepEqual(invoicePdf(invoice), pdf);
  const text = pdf.toString("latin1");
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  assert.equal(text.slice(start, start + 4), "xref");
  const starts = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at));
  assert.ok(starts.length >= 7);
  for (const [at, offset] of starts.entries()) assert.ok(text.startsWith(`${at + 1} 0 obj\n`, offset));
  assert.ok(!text.includes("Studio)"));
});

test("an invoice with many lines takes more pages", () => {
  const lines = Array.from({ length: 90 }, (_, at) => ({ text: `Line ${at}`, quantity: 1, amount: 100 }));
  const text = invoicePdf({ ...invoice, document: { ...invoice.document, lines } }).toString("latin1");
  assert.match(text, /\/Count 3 /);
});
