import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createKnownSecrets } from "../../foundation/known-secrets.ts";
import { stripBody } from "./strip-body.ts";

const known = createKnownSecrets();
known.add(() => ownSecrets);
const ownSecrets = ["provider-secret-0123456789"];
const rules = { hiding: known, bytesMax: 262_144 };
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const strip = (text: string | Buffer, type: string | null = "application/json", bytesMax = rules.bytesMax) => {
  const bytes = Buffer.from(text);
  return stripBody({ type, bytes }, sha(bytes), { ...rules, bytesMax });
};
const valueIn = (text: string | null): unknown => JSON.parse(text ?? assert.fail("a text is kept"));

const credentials = [
  `service-${"aB3dE6gH"}_${"k9".repeat(19)}`,
  `sk-proj-${"a1B2".repeat(8)}`,
  `hf_${"Q7w".repeat(10)}`,
  "AKIAIOSFODNN7EXAMPLE",
  `AIza${"b2".repeat(18)}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${"c3".repeat(10)}`,
  `Bearer ${"d4".repeat(12)}`,
  `whsec_${"e5".repeat(12)}`,
  "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----",
  ...ownSecrets,
];
const names = ["Authorization", "api_key", "X-API-Key", "apiKey", "password", "client_secret", "access_token", "token"];

describe("secrets", () => {
  test("never stay, wherever in a document they are and whatever is around them", () => {
    const hidden = fc.record({
      secret: fc.constantFrom(...credentials),
      before: fc.string({ maxLength: 12 }).map((text) => `${text} `),
      after: fc.string({ maxLength: 12 }).map((text) => ` ${text}`),
      path: fc.array(fc.oneof(fc.constant(0), fc.string({ minLength: 1, maxLength: 6 })), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(hidden, ({ secret, before, after, path }) => {
        const inner: unknown = `${before}${secret}${after}`;
        const value = path.reduceRight((held: unknown, step) => (step === 0 ? [held] : { [step]: held }), inner);
        const kept = strip(JSON.stringify(value));
        assert.doesNotMatch(kept.text ?? "", new RegExp(secret.replace(/^Bearer /, "").slice(0, 26)));
        assert.ok(kept.removed.some(({ what }) => what === "secret"));
        assert.doesNotThrow(() => valueIn(kept.text));
      }),
      { numRuns: 300 },
    );
  });

  test("are removed from members that are named like one, with the place", () => {
    for (const name of names) {
      const { text, removed } = strip(JSON.stringify({ headers: [{ [name]: "open-sesame" }] }));
      assert.deepEqual(valueIn(text), { headers: [{ [name]: "[removed]" }] });
      assert.deepEqual(removed, [{ at: `/headers/0/${name}`, what: "secret" }]);
    }
  });

  test("are removed from URLs and from text that is not JSON", () => {
    const url = "https://me:hunter22@host.example/a.png?width=512&X-Amz-Signature=0123456789abcdef";
    assert.deepEqual(valueIn(strip(JSON.stringify({ url })).text), {
      url: "https://me:[removed]@host.example/a.png?width=512&X-Amz-Signature=[removed]",
    });
    const broken = strip(`{"prompt": "x", "api": "${credentials[0]}"`);
    assert.deepEqual([broken.kind, broken.text], ["text", '{"prompt": "x", "api": "[removed]"']);
  });
});

describe("everything else stays as it was sent", () => {
  test("any document without secrets and files, and integers beyond 2^53", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/secret|token|key|auth|cookie|pass|credential/i.test(text));
        const kept = strip(text);
        assert.deepEqual([kept.kind, kept.removed], ["json", []]);
        assert.deepEqual(valueIn(kept.text), JSON.parse(text));
      }),
      { numRuns: 300 },
    );
    const exact = '{"seed":18446744073709551615,"__proto__":{"a":1},"max_tokens":512}';
    assert.equal(strip(exact).text, exact);
  });

  test("words of a prompt that only look like the start of a key", () => {
    const prompt =
      "Basic training for service-oriented-architecture-fans, bearer of news, sk-ateboarding-through-the-city";
    assert.deepEqual(valueIn(strip(JSON.stringify({ prompt })).text), { prompt });
  });
});

describe("files", () => {
  const picture = Buffer.alloc(30_000, 7);

  test("inside a document become their type, size and hash", () => {
    const encoded = picture.toString("base64");
    const { text, removed } = strip(
      JSON.stringify({ image: `data:image/png;base64,${encoded}`, raw: encoded, note: "two" }),
    );
    const facts = `30000 bytes, sha256 ${sha(picture)}`;
    assert.deepEqual(valueIn(text), {
      image: `[removed: image/png, ${facts}]`,
      raw: `[removed: base64, ${facts}]`,
      note: "two",
    });
    assert.deepEqual(removed, [
      { at: "/image", what: "file" },
      { at: "/raw", what: "file" },
    ]);
  });

  test("and bodies that are files keep no byte", () => {
    const { kind, bytes, sha256, text } = strip(picture, "image/png");
    assert.deepEqual([kind, bytes, sha256, text], ["file", 30_000, sha(picture), null]);
  });

  test("count after they were removed: only what is left can be too large", () => {
    const image = `data:image/png;base64,${picture.toString("base64")}`;
    assert.equal(strip(JSON.stringify({ image }), "application/json", 1_024).kind, "json");
    const words = strip(JSON.stringify({ prompt: "many words ".repeat(200) }), "application/json", 1_024);
    assert.deepEqual([words.kind, words.text, words.bytes], ["too_large", null, 2_213]);
  });
});

test("a document that is deep, or long and almost a key all over, costs no more than its length", () => {
  assert.equal(strip("[".repeat(1_000_000), "application/json", 2_000_000).kind, "text");
  const almost = "service-eyJ-data:;base64, Bearer sk-".repeat(50_000);
  assert.equal(strip(JSON.stringify({ almost }), "application/json", 4_000_000).kind, "json");
});
