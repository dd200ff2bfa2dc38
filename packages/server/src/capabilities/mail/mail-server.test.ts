import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "../../foundation/settings.ts";
import { isMailAddress, readSender } from "./mail-address.ts";
import { mailProblems, readMailSettings } from "./mail-server.ts";

const read = (url: string, mailFrom: string | null = "alerts@studio.example") =>
  readMailSettings({ smtpUrl: new Secret(url), mailFrom });

test("a mail server is host, port, TLS, name and password", () => {
  assert.deepEqual(read("smtp://ada:p%40ss@mail.example")?.server, {
    ...{ host: "mail.example", port: 587, isSecure: false, isHere: false, user: "ada", password: "p@ss" },
  });
  assert.deepEqual(read("smtps://mail.example")?.server, {
    ...{ host: "mail.example", port: 465, isSecure: true, isHere: false, user: null, password: null },
  });
  for (const here of ["127.0.0.1", "localhost", "[::1]"])
    assert.equal(read(`smtp://${here}:2525`)?.server.isHere, true, here);
  assert.equal(read("smtp://127.evil.example:25")?.server.isHere, false);
});

test("everything wrong is said together, without the password", () => {
  for (const wrong of [
    "smtp://",
    "http://mail.example",
    "smtp://a:b@mail.example/x",
    "smtp://mail.example?tls=no",
    "smtp://a:%zz@m.example",
  ]) {
    const problems = mailProblems({ smtpUrl: new Secret(wrong), mailFrom: null });
    assert.equal(problems.length, 2, wrong);
    assert.doesNotMatch(problems.join(), /%zz|a:b/);
  }
  assert.deepEqual(mailProblems({ smtpUrl: null, mailFrom: null }), []);
  assert.equal(mailProblems({ smtpUrl: new Secret("smtp://m.example"), mailFrom: "Eve\r\nBcc: x@y" }).length, 1);
});

test("a sender is an address, or a name with one", () => {
  assert.deepEqual(readSender("Atelier <alerts@studio.example>"), {
    name: "Atelier",
    address: "alerts@studio.example",
  });
  assert.deepEqual(readSender("alerts@studio.example"), { name: "", address: "alerts@studio.example" });
  for (const wrong of ["Atelier", "<>", "a b@c.example", "x <a@b.example> y", "a\n<b@c.example>"])
    assert.equal(readSender(wrong), null, wrong);
});

test("an address has nothing that could end a header or a command", () => {
  assert.ok(isMailAddress("ada+shop@studio.example"));
  for (const wrong of [
    "ada",
    "ada@",
    "@b.example",
    "a@b.example\n",
    "a@b.example\r\nBcc: c@d",
    "a b@c.example",
    "<a@b.example>",
    '"a"@b.example',
    "a@b@c.example",
    `${"a".repeat(65)}@b.example`,
    "ä@b.example",
    `a@${"b".repeat(60)}.${"c.".repeat(100)}example`,
  ])
    assert.equal(isMailAddress(wrong), false, wrong);
});
