import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isOneAddress, readEmail, readName } from "./names.ts";

test("a name is trimmed and may be written in any script", () => {
  assert.equal(readName("  Bildwerkstatt Süd  "), "Bildwerkstatt Süd");
  assert.equal(readName("画像工房"), "画像工房");
  assert.equal(readName("🎨".repeat(100)), "🎨".repeat(100));
});

test("a name that is empty, too long or hides something is refused", () => {
  for (const text of ["", "   ", "a".repeat(101), "a\nb", "a\u0000b", "a\u202eb", "a\u2028b", "\ud800"]) {
    assert.equal(readName(text), null, JSON.stringify(text));
  }
});

test("every accepted name can be stored: well-formed, no NUL, at most 100 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 120 }), (text) => {
      const name = readName(text);
      if (name === null) return;
      assert.ok(name.isWellFormed() && !name.includes("\u0000"));
      assert.ok([...name].length >= 1 && [...name].length <= 100);
      assert.equal(readName(name), name);
    }),
  );
});

test("an address has one @ and no markup", () => {
  assert.equal(readEmail(" ada@example.org "), "ada@example.org");
  for (const text of ["", "ada", "a@b@c", "a b@c.org", "<a>@b.org", `${"a".repeat(65)}@b.org`]) {
    assert.equal(readEmail(text), null, text);
  }
});

test("an e-mail address from an issuer is used exactly as written, or not at all", () => {
  assert.ok(isOneAddress("ada@example.org"));
  for (const text of [
    "ada@evil.example@example.org",
    "ada@example.org\n",
    "ada@evil.example\nx@example.org",
    " ada@example.org",
    "",
    "@example.org",
  ])
    assert.equal(isOneAddress(text), false, JSON.stringify(text));
});
