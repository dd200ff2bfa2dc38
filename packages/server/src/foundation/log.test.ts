import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLog, maskSecrets } from "./log.ts";

describe("the log", () => {
  test("nothing that looks like a credential reaches a line, in any field", () => {
    const lines: string[] = [];
    const log = createLog({ level: "debug", write: (line) => lines.push(line) });
    const secrets = [
      "service-AbCd1234_0123456789abcdef0123456789abcdef012345",
      "service-an-operators-own-key-of-32-characters",
      "worker-0123456789abcdefghijklmnopqrstuvwxyz_-ABCDE",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl",
    ];
    for (const secret of secrets) {
      log.info(
        { header: `Bearer ${secret}`, url: `https://x/?token=${secret}`, err: new Error(secret) },
        `met ${secret}`,
      );
    }
    log.info({ url: "postgres://user:hunter2hunter2@db/x", link: "/sign-in/abcdefghijklmnop1234" }, "addresses");
    const all = lines.join("");
    for (const secret of [...secrets, "hunter2hunter2", "abcdefghijklmnop1234"]) assert.ok(!all.includes(secret), all);
  });

  test("a line is one JSON object with time, level and message", () => {
    const lines: string[] = [];
    createLog({ level: "info", write: (line) => lines.push(line) }).warn({ code: "x", text: "a\nb" }, "hello");
    assert.equal(lines.length, 1);
    const line = JSON.parse(lines[0] ?? "");
    assert.deepEqual([line.level, line.message, line.code], ["warn", "hello", "x"]);
    assert.match(line.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(lines[0]?.trimEnd().includes("\n"), false, "a newline in a field cannot forge a line");
  });

  test("levels below the threshold cost nothing and print nothing", () => {
    const lines: string[] = [];
    createLog({ level: "error", write: (line) => lines.push(line) }).info({}, "no");
    assert.deepEqual(lines, []);
  });

  test("lines for people name the fields plainly", () => {
    const lines: string[] = [];
    createLog({ level: "info", pretty: "plain", write: (line) => lines.push(line) }).info(
      { code: "not_found" },
      "refused",
    );
    assert.match(lines[0] ?? "", /^\d\d:\d\d:\d\d info {2}refused {2}code=not_found\n$/);
  });
});

test("masking leaves ordinary text alone", () => {
  const text = "GET /nodes/pricing/badges?app_version=1.2.3&platform=local service-less";
  assert.equal(maskSecrets(text), text);
});
