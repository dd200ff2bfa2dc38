import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPartner } from "../../capabilities/partners/index.ts";
import { callbackBase } from "./build-partners.ts";
import { priceChecks } from "./price-checks.ts";
import { partnerA, partnerB } from "./shipped-partners.ts";

test("the shipped definitions pass the check that files have to pass, also as JSON", () => {
  for (const definition of [
    partnerA({ baseUrl: null }),
    partnerA({ baseUrl: null }, "further"),
    partnerB({ baseUrl: "https://partner.example" }),
    partnerB({ baseUrl: "https://partner.example" }, "further"),
  ])
    for (const value of [definition, JSON.parse(JSON.stringify(definition))])
      assert.deepEqual(checkPartner(priceChecks, value).ok, true);
});

test("a partner elsewhere is given no address that only this machine knows", () => {
  assert.equal(callbackBase("http://127.0.0.1:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://localhost:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://[::1]:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://127.0.0.1:8080", "http://127.0.0.1:9000/a"), "http://127.0.0.1:8080");
  assert.equal(callbackBase("https://studio.example/", "https://partner.example"), "https://studio.example");
});
