import assert from "node:assert/strict";
import { test } from "node:test";
import { callbackBase } from "./build-partners.ts";

test("a partner elsewhere is given no address that only this machine knows", () => {
  assert.equal(callbackBase("http://127.0.0.1:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://localhost:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://[::1]:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://127.0.0.1:8080", "http://127.0.0.1:9000/a"), "http://127.0.0.1:8080");
  assert.equal(callbackBase("https://studio.example/", "https://partner.example"), "https://studio.example");
});
