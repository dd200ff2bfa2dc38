// A signed URL cannot be forged, extended or altered.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { createSignedUrls, type SignedUrls } from "./signed-url.ts";

// The same buffer for the same key, as in a ring: URLs verified under it are cached.
const secrets = new Map<string, Buffer>();
const secretOf = (id: string) => {
  const secret = secrets.get(id) ?? createHash("sha256").update(id).digest();
  secrets.set(id, secret);
  return secret;
};
const asset = { id: newId<"asset">(), workspaceId: newId<"workspace">(), hash: "ab".repeat(32) };
const hour = 3_600_000;

function aSigner(keys: string[] = ["key-1"]) {
  const clock = handClock(new Date("2026-03-01T12:03:07.000Z"));
  const ring = {
    current: () => ({ id: keys.at(-1) ?? "", secret: secretOf(keys.at(-1) ?? "") }),
    verifying: () => keys.map((id) => ({ id, secret: secretOf(id) })),
  };
  const contentUrl = () => "http://127.0.0.1:1";
  return { clock, keys, urls: createSignedUrls({ keyRing: ring, clock, contentUrl, validitySeconds: 6 * 3600 }) };
}

function targetOf(url: string): string {
  return url.slice("http://127.0.0.1:1".length);
}

// As the content origin does it: first the form, then the asset of that id, then the signature.
function accepts(urls: SignedUrls, target: string, stored = [asset]): boolean {
  const mark = target.indexOf("?");
  const claim = urls.read(mark < 0 ? target : target.slice(0, mark), mark < 0 ? "" : target.slice(mark + 1));
  const found = claim && stored.find(({ id }) => id === claim.assetId);
  return Boolean(claim && found && urls.remainingSeconds(claim, found));
}

const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));

describe("a signed URL", () => {
  test("works until its real expiry and not after", async () => {
    const { urls, clock } = aSigner();
    const { url, expiresAt } = urls.sign(asset);
    assert.equal(expiresAt.toISOString(), "2026-03-01T18:00:00.000Z");
    assert.ok(accepts(urls, targetOf(url)));
    await clock.advance(expiresAt.getTime() - clock.now().getTime() - 1);
    assert.ok(accepts(urls, targetOf(url)));
    await clock.advance(1);
    assert.ok(!accepts(urls, targetOf(url)));
  });

  test("is the same for everybody who asks within five minutes", async () => {
    const { urls, clock } = aSigner();
    const first = urls.sign(asset).url;
    await clock.advance(60_000);
    assert.equal(urls.sign(asset).url, first);
    await clock.advance(5 * 60_000);
    assert.notEqual(urls.sign(asset).url, first);
  });

  test("with one character changed, added or missing is refused, whichever it is", () => {
    const { urls } = aSigner();
    const other = { ...asset, id: newId<"asset">() };
    for (const options of [undefined, { asAttachment: true }]) {
      const target = targetOf(urls.sign(asset, options).url);
      assert.ok(accepts(urls, target));
      for (let at = 0; at <= target.length; at++) {
        const before = target.slice(0, at);
        assert.ok(
          !accepts(urls, before + target.slice(at + 1), [asset, other]) || at === target.length,
          `without ${at}`,
        );
        for (const character of printable) {
          assert.ok(!accepts(urls, before + character + target.slice(at)), `${character} before ${at}`);
          if (character === target.charAt(at)) continue;
          if (at < target.length)
            assert.ok(!accepts(urls, before + character + target.slice(at + 1)), `${character} at ${at}`);
        }
      }
    }
  });

  test("is accepted in the spelling it was issued in and no other: 20,000 random changes", () => {
    const { urls } = aSigner(["key-1", "key-2"]);
    const issued = new Set([targetOf(urls.sign(asset).url), targetOf(urls.sign(asset, { asAttachment: true }).url)]);
    const edit = fc.oneof(
      fc.record({ kind: fc.constant("replace"), at: fc.nat(200), text: fc.string({ maxLength: 4 }) }),
      fc.record({ kind: fc.constant("insert"), at: fc.nat(200), text: fc.string({ minLength: 1, maxLength: 6 }) }),
      fc.record({ kind: fc.constant("encode"), at: fc.nat(200), text: fc.constant("") }),
      fc.record({ kind: fc.constant("flip"), at: fc.nat(200), text: fc.constant("") }),
      fc.record({
        kind: fc.constant("append"),
        at: fc.constant(0),
        text: fc.constantFrom("&d=attachment", "&e=9999999999", "&x=1", "#", "&", "%00", "/"),
      }),
      fc.record({ kind: fc.constant("reorder"), at: fc.nat(3), text: fc.constant("") }),
    );
    const original = fc.constantFrom(...issued);
    fc.assert(
      fc.property(original, fc.array(edit, { minLength: 1, maxLength: 3 }), (target, edits) => {
        const changed = edits.reduce(applyEdit, target);
        assert.equal(accepts(urls, changed), issued.has(changed), changed);
      }),
      { numRuns: 20_000 },
    );
  });

  test("is bound to the asset, its workspace and its bytes as we have them", () => {
    const { urls } = aSigner();
    const target = targetOf(urls.sign(asset).url);
    const swapped = { ...asset, id: newId<"asset">() };
    // Also after it has been verified for the asset it belongs to.
    for (const _ of ["unknown", "found right"]) {
      assert.ok(!accepts(urls, target, []));
      assert.ok(!accepts(urls, target, [{ ...asset, workspaceId: newId<"workspace">() }]));
      assert.ok(!accepts(urls, target, [{ ...asset, hash: "cd".repeat(32) }]));
      assert.ok(!accepts(urls, target.replace(asset.id, swapped.id), [swapped]));
      assert.ok(accepts(urls, target));
    }
  });

  test("is right or wrong as before when more were found right than are remembered", () => {
    const { urls } = aSigner();
    const many = Array.from({ length: 1100 }, () => ({ ...asset, id: newId<"asset">() }));
    const targets = many.map((one) => targetOf(urls.sign(one).url));
    for (const _ of ["first", "again"]) {
      for (const [at, target] of targets.entries()) {
        const one = many[at] ?? asset;
        assert.ok(accepts(urls, target, [one]));
        assert.ok(!accepts(urls, target, [{ ...one, hash: "cd".repeat(32) }]));
      }
    }
  });

  test("outlives the rotation of its key and dies with the key", () => {
    const { urls, keys } = aSigner();
    const old = targetOf(urls.sign(asset).url);
    keys.push("key-2");
    const fresh = targetOf(urls.sign(asset).url);
    assert.notEqual(fresh, old);
    assert.ok(accepts(urls, old) && accepts(urls, fresh));
    keys.shift();
    assert.ok(!accepts(urls, old) && accepts(urls, fresh));
    // A key of the same name is not the same key.
    secrets.set("key-2", secretOf("another"));
    assert.ok(!accepts(urls, fresh));
    secrets.delete("key-2");
  });

  test("of a server whose clock runs far ahead is refused", async () => {
    const ahead = aSigner();
    await ahead.clock.advance(hour);
    assert.ok(!accepts(aSigner().urls, targetOf(ahead.urls.sign(asset).url)));
  });

  test("cannot be set to live longer than its key is remembered", () => {
    const ring = { current: () => ({ id: "k", secret: secretOf("k") }), verifying: () => [] };
    for (const validitySeconds of [6 * 3600 + 1, 599]) {
      assert.throws(() =>
        createSignedUrls({ keyRing: ring, clock: handClock(), contentUrl: () => "", validitySeconds }),
      );
    }
  });
});

function applyEdit(target: string, { kind, at, text }: { kind: string; at: number; text: string }): string {
  const position = at % (target.length + 1);
  const character = target.charAt(position);
  if (kind === "insert") return target.slice(0, position) + text + target.slice(position);
  if (kind === "append") return target + text;
  if (kind === "encode") {
    const hex = character === "" ? "" : `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
    return target.slice(0, position) + hex + target.slice(position + 1);
  }
  if (kind === "flip") {
    const flipped = character === "" ? "" : String.fromCharCode(character.charCodeAt(0) ^ (1 << (at % 7)));
    return target.slice(0, position) + flipped + target.slice(position + 1);
  }
  if (kind === "reorder") {
    const [path = "", query = ""] = target.split("?");
    const parts = query.split("&");
    return `${path}?${[...parts.slice(at), ...parts.slice(0, at)].join("&")}`;
  }
  return target.slice(0, position) + text + target.slice(position + text.length);
}
