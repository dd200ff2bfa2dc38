import assert from "node:assert/strict";
import { test } from "node:test";
import { readForm } from "./form-body.ts";

const form = (body: string | Buffer, type: string | undefined = "application/x-www-form-urlencoded") =>
  readForm({ headers: type === undefined ? {} : { "content-type": type }, bytes: async () => Buffer.from(body) });

test("fields are read as a browser sends them", async () => {
  const fields = await form(
    "name=K%C3%B6nig+1&scopes=models&scopes=account",
    "Application/X-WWW-Form-URLEncoded; charset=UTF-8",
  );
  assert.equal(fields.one("name"), "König 1");
  assert.deepEqual(fields.all("scopes"), ["models", "account"]);
  assert.equal(fields.one("absent"), null);
});

test("a single field that comes twice is refused", async () => {
  const fields = await form("csrf=a&csrf=b");
  assert.throws(() => fields.one("csrf"), { code: "invalid_request" });
});

test("any other content type is refused, so that no script of another site can send it unseen as text", async () => {
  for (const type of ["application/json", "text/plain", "multipart/form-data", ""]) {
    await assert.rejects(form("a=b", type), { code: "invalid_content_type" });
  }
});

test("bytes that are no UTF-8 are refused", async () => {
  await assert.rejects(form(Buffer.from([0x61, 0x3d, 0xff])), { code: "invalid_request" });
});
