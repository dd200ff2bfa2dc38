import assert from "node:assert/strict";
import { test } from "node:test";
import { readMoney, writeMoney } from "./money.ts";

test("an amount that a person types is read in the currency's minor units, and written back", () => {
  assert.deepEqual(readMoney(" 19.00 eur"), { minor: 1900, currency: "eur" });
  assert.deepEqual(readMoney("19.5 USD"), { minor: 1950, currency: "usd" });
  assert.deepEqual(readMoney("1900JPY"), { minor: 1900, currency: "jpy" });
  for (const text of ["19", "19,00 EUR", "1900.5 JPY", "-1 EUR", ""]) assert.equal(readMoney(text), null, text);
  assert.equal(writeMoney(1950, "usd"), "19.50 USD");
});
