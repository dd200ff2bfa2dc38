// No chain of derived tokens allows more than any of its members. `npm run test:long -- tokens` tries 10⁵ chains.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type TokenCapability, tokenCapabilities, tokenOperations } from "@atelier/contract";
import fc from "fast-check";
import { Fault } from "../../../foundation/fault.ts";
import { includesAddress, narrowRanges, readRange } from "./address-ranges.ts";
import {
  allowsModel,
  compileRestrictions,
  narrow,
  type Restrictions,
  refusalOfUse,
  restrictRoot,
  type WantedRestrictions,
} from "./restrictions.ts";

const numRuns = process.env["ATELIER_TEST_LONG"] === undefined ? 500 : 100_000;
const someOf = <Value>(...values: Value[]) => fc.subarray(values, { minLength: 1 });
const perhaps = <Value>(some: fc.Arbitrary<Value>) => fc.option(some, { nil: undefined });
const start = Date.UTC(2030, 0, 1);

const models = ["*", "a/*", "b/*", "a/one", "a/two", "b/one"];
const origins = ["https://a.example", "https://b.example", "http://127.0.0.1:5000"];
const ranges = ["0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "2001:db8::/32", "::ffff:10.1.0.0/112", "::/0"];
const addresses = ["10.1.2.3", "10.1.9.9", "10.9.9.9", "192.0.2.1", "2001:db8::1", "2001:db9::1", "::ffff:10.1.2.3"];

const aWanted: fc.Arbitrary<WantedRestrictions> = fc.record({
  capabilities: someOf<TokenCapability>(...tokenCapabilities),
  models: perhaps(someOf(...models)),
  origins: perhaps(someOf(...origins)),
  addresses: perhaps(someOf(...ranges)),
  endUser: perhaps(fc.constantFrom("ada", "bob")),
  creditsMax: perhaps(fc.bigInt(0n, 50n)),
  expiresAt: fc.integer({ min: 1, max: 86_400 }).map((seconds) => new Date(start + seconds * 1_000)),
});
const aUse = fc.record({
  operationId: fc.constantFrom(...new Set(Object.values(tokenOperations).flat()), "createKey", "submitJob"),
  origin: fc.constantFrom(undefined, "null", ...origins),
  peer: fc.constantFrom(...addresses),
  model: fc.constantFrom("a/one", "a/two", "b/one", "c/one"),
});

// As far as the chain can be made: a request that would be wider is refused, and the chain ends there.
function chainOf(wanted: readonly WantedRestrictions[]): Restrictions[] {
  const chain: Restrictions[] = [];
  for (const each of wanted) {
    const parent = chain.at(-1);
    try {
      const root = { capabilities: tokenCapabilities, expiresAt: new Date(start + 50_000_000) };
      chain.push(parent === undefined ? restrictRoot(root, each) : narrow(parent, each));
    } catch (thrown) {
      assert.ok(thrown instanceof Fault && ["forbidden", "invalid_request"].includes(thrown.code));
      break;
    }
  }
  return chain;
}

test("no chain of derived tokens exceeds any of its ancestors", () => {
  let long = 0;
  fc.assert(
    fc.property(
      fc.array(aWanted, { minLength: 1, maxLength: 8 }),
      fc.array(aUse, { maxLength: 12 }),
      (wanted, uses) => {
        const chain = chainOf(wanted);
        if (chain.length > 2) long += 1;
        const compiled = chain.map(compileRestrictions);
        for (const [at, child] of chain.entries()) {
          const rights = compiled[at] ?? assert.fail();
          for (const [above, ancestor] of chain.slice(0, at).entries()) {
            assert.ok(child.expiresAt <= ancestor.expiresAt);
            if (ancestor.creditsMax !== null)
              assert.ok(child.creditsMax !== null && child.creditsMax <= ancestor.creditsMax);
            if (ancestor.endUser !== null) assert.equal(child.endUser, ancestor.endUser);
            const over = compiled[above] ?? assert.fail();
            for (const use of uses) {
              if (refusalOfUse(rights, use) === null) assert.equal(refusalOfUse(over, use), null, JSON.stringify(use));
              if (allowsModel(rights, use.model)) assert.ok(allowsModel(over, use.model), use.model);
            }
          }
          // And never more than it asked for itself.
          const asked = wanted[at];
          assert.ok(child.capabilities.every((each) => asked?.capabilities.includes(each)));
        }
      },
    ),
    { numRuns },
  );
  assert.ok(long > numRuns / 50, `${long} chains had three members or more`);
});

describe("a token of a key", () => {
  const wanted = { capabilities: ["call_models"], expiresAt: new Date(start) } as const;
  const root = { capabilities: tokenCapabilities, expiresAt: null };

  test("must name its models and its credits", () => {
    assert.throws(() => restrictRoot(root, wanted), { code: "invalid_request", message: /models/ });
    assert.throws(() => restrictRoot(root, { ...wanted, models: ["*"] }), { message: /credits_max/ });
  });

  test("has only capabilities that the key's scopes reach", () => {
    const scoped = { ...root, capabilities: ["upload_assets"] as const };
    assert.throws(() => restrictRoot(scoped, wanted), { code: "forbidden" });
  });
});

describe("ranges of addresses", () => {
  test("have one spelling, and what is no range is refused", () => {
    assert.equal(readRange("10.1.2.3/8")?.text, "10.0.0.0/8");
    assert.equal(readRange("::ffff:10.1.2.3/104")?.text, "10.0.0.0/8");
    assert.equal(readRange("2001:DB8::1/32")?.text, "2001:db8::/32");
    for (const bad of ["", "10.1", "1", "10.0.0.0/33", "::/129", "here", "10.0.0.0/8/8", "::ffff:10.0.0.0/95"])
      assert.equal(readRange(bad), null, bad);
  });

  test("in both lists include exactly the addresses that are in each", () => {
    fc.assert(
      fc.property(someOf(...ranges), someOf(...ranges), fc.constantFrom(...addresses), (one, two, address) => {
        const within = (texts: readonly string[]) =>
          includesAddress(
            texts.flatMap((text) => readRange(text) ?? []),
            address,
          );
        assert.equal(within(narrowRanges(one, two)), within(one) && within(two));
      }),
    );
  });
});
