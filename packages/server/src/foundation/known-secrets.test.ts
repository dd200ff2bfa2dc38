import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { trustedId } from "./ids.ts";
import { createKnownSecrets, type SecretTexts } from "./known-secrets.ts";

const one = "sk-live-0f/9+quite=Secret";
const other = "Secret-of-another-place";
const workspaceId = trustedId<"workspace">("00000000-0000-7000-8000-000000000001");

function knowing(...texts: string[]) {
  const known = createKnownSecrets();
  known.add(() => texts);
  return known;
}

const numbered = (text: string, digits = (code: string) => code) =>
  text
    .split("")
    .map((letter) => `\\u${digits(letter.charCodeAt(0).toString(16).padStart(4, "0"))}`)
    .join("");
const hidden = (texts: string[], document: string) =>
  knowing(...texts)
    .json(Buffer.from(document))
    .toString();

describe("secrets that the process holds", () => {
  test("without a find the very same bytes and text come back", () => {
    const known = knowing(one, other);
    for (const text of [
      "",
      "{}",
      '{"a":"b\\u0041\\/\\n\\"","n":12345678901234567890,"ü":"\\ud83d\\ude00"}',
      "no JSON \\",
    ]) {
      const bytes = Buffer.from(text);
      assert.equal(known.json(bytes), bytes);
      assert.equal(known.text(text), text);
    }
    const bytes = Buffer.from(`{"a":"${one}"}`);
    assert.equal(createKnownSecrets().json(bytes), bytes, "who holds none finds none");
  });

  test("each is covered at its length, wherever it is in the document, and JSON stays JSON", () => {
    const found = hidden([one, other], JSON.stringify({ [one]: [`a${other}b`, other], n: 1.0 }));
    assert.equal(
      found,
      `{"${"*".repeat(one.length)}":["a${"*".repeat(other.length)}b","${"*".repeat(other.length)}"],"n":1}`,
    );
  });

  test("one that overlaps another, or is part of another, leaves nothing of either", () => {
    assert.equal(knowing("abcdefgh12", "gh12345678").text("<abcdefgh12345678>"), "<[removed]>");
    assert.equal(knowing("abcdefgh", "abcdefgh-and-more").text("<abcdefgh-and-more>"), "<[removed]>");
    assert.equal(hidden(["abcdefgh", "efghefgh"], '"abcdefghefgh"'), `"${"*".repeat(12)}"`);
  });

  test("one of the server that overlaps one of the workspace leaves nothing of either", async () => {
    const known = knowing("abcdefgh12");
    known.addWorkspaceSource(() => ["gh12345678"]);
    assert.equal((await known.ofWorkspace(workspaceId)).text("<abcdefgh12345678>"), "<[removed]>");
  });

  test("escapes of JSON hide none: numbers of letters, the slash, the quote, halves of a pair", () => {
    const strange = 'quote"back\\slash-ü-😀';
    const upper = (code: string) => code.toUpperCase();
    for (const secret of [one, strange])
      for (const written of [
        numbered(secret),
        numbered(secret, upper),
        JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
      ]) {
        const document = `{"said":"key ${written}!","n":1}`;
        const covered = hidden([secret], document);
        assert.equal(Buffer.byteLength(covered), Buffer.byteLength(document));
        assert.match(JSON.parse(covered).said, /^key \*+!$/, document);
      }
  });

  test("only the document's strings are changed", () => {
    const document = '{"n":12345678,"at":[1234567890],"text":"12345678"}';
    assert.equal(hidden(["12345678"], document), '{"n":12345678,"at":[1234567890],"text":"********"}');
    assert.equal(hidden(['ab","cd"x'], '["ab","cd","x"]'), '["ab","cd","x"]');
  });

  test("encoded ones are found: for an address, in base64 inside a longer text, in hexadecimal", () => {
    const known = knowing(one);
    for (const text of [
      `?key=${encodeURIComponent(one)}`,
      Buffer.from(`user:${one}!`).toString("base64"),
      Buffer.from(one).toString("hex"),
    ])
      assert.match(known.text(text), /\[removed\]/, text);
  });

  test("of a pair the second half counts, behind a scheme the rest, and a short word is no secret", () => {
    assert.equal(knowing("name:long-secret").text("name long-secret"), "name [removed]");
    assert.equal(knowing("Bearer long-secret").text("got long-secret"), "got [removed]");
    assert.equal(knowing("short", "").text("short"), "short");
  });

  test("sources are asked again: a changed list counts at once", () => {
    let now: SecretTexts = [one];
    const known = createKnownSecrets();
    known.add(() => now);
    assert.equal(known.text(`${one} ${other}`), `[removed] ${other}`);
    now = [other];
    assert.equal(known.text(`${one} ${other}`), `${one} [removed]`);
  });

  test("those of another workspace are not searched for", async () => {
    const known = createKnownSecrets();
    known.addWorkspaceSource(async (id) => (id === workspaceId ? [one] : []));
    const foreign = trustedId<"workspace">("00000000-0000-7000-8000-000000000002");
    assert.equal((await known.ofWorkspace(foreign)).text(one), one);
    assert.equal((await known.ofWorkspace(workspaceId, [other])).text(`${one} ${other}`), "[removed] [removed]");
  });
});
