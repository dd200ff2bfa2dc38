import assert from "node:assert/strict";
import { test } from "node:test";
import { moneyText, readMoney } from "./money.ts";

test("amounts are read and written in the currency's own minor units", () => {
  assert.deepEqual(readMoney("19.00 EUR"), { minor: 1900, currency: "eur" });
  assert.deepEqual(readMoney("19.5usd"), { minor: 1950, currency: "usd" });
  assert.deepEqual(readMoney("1900 JPY"), { minor: 1900, currency: "jpy" });
  for (const text of ["19", "19,00 EUR", "-1 EUR", "19.001 EUR", "1900.5 JPY", "EUR 19"])
    assert.equal(readMoney(text), null, text);
  assert.equal(moneyText(1900, "eur"), "19.00 EUR");
  assert.equal(moneyText(1900, "jpy"), "1900 JPY");
});
