import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { test } from "node:test";
import { createLocalJWKSet, type JWK } from "jose";
import { Fault } from "../../../foundation/fault.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { createEmbeddedIssuer, embeddedAudience, embeddedTokenKind } from "./embedded-issuer.ts";
import { createJwtVerifier, type TrustedIssuer } from "./verify-jwt.ts";

const clock = handClock();
const nowSeconds = Math.floor(clock.now().getTime() / 1000);
const baseUrl = "http://127.0.0.1:8080";
const ring = [{ id: "ring-1", secret: randomBytes(32) }];
const embedded = createEmbeddedIssuer({
  clock,
  baseUrl: () => baseUrl,
  keyRing: { current: () => ring[0] ?? { id: "", secret: Buffer.alloc(0) }, verifying: () => ring },
});

const outside = generateKeyPairSync("rsa", { modulusLength: 2048 });
const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });
const stranger = generateKeyPairSync("ed25519");
const strangerRsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
const externalKeys: JWK[] = [
  { ...outside.publicKey.export({ format: "jwk" }), kid: "rsa-1" },
  { ...curve.publicKey.export({ format: "jwk" }), kid: "ec-1" },
  { ...weak.publicKey.export({ format: "jwk" }), kid: "weak-1" },
];
const externalSet = createLocalJWKSet({ keys: externalKeys });
const external: TrustedIssuer = {
  kind: "external",
  name: () => "https://issuer.example",
  audience: "atelier-api",
  tokenKind: "JWT",
  keys: { find: (header, token) => externalSet(header, token), freshUntilMs: () => Number.POSITIVE_INFINITY },
};
const own: TrustedIssuer = {
  kind: "embedded",
  name: embedded.name,
  audience: embeddedAudience,
  tokenKind: embeddedTokenKind,
  keys: embedded.keys,
};

const verifier = () => createJwtVerifier({ issuers: [own, external], clock });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

type Signer = (input: string) => Buffer;
const byRsa =
  (key: KeyObject): Signer =>
  (input) =>
    sign("sha256", Buffer.from(input), key);
const byCurve: Signer = (input) =>
  sign("sha256", Buffer.from(input), { key: curve.privateKey, dsaEncoding: "ieee-p1363" });
const byMac =
  (secret: string | Buffer): Signer =>
  (input) =>
    createHmac("sha256", secret).update(input).digest();

const goodHeader = { alg: "RS256", kid: "rsa-1", typ: "JWT" };
const goodClaims = {
  iss: "https://issuer.example",
  aud: "atelier-api",
  sub: "ada",
  workspace: "studio",
  iat: nowSeconds,
  exp: nowSeconds + 3600,
};

function forge(change: { header?: object; claims?: object; sign?: Signer }): string {
  const input = `${encode({ ...goodHeader, ...change.header })}.${encode({ ...goodClaims, ...change.claims })}`;
  return `${input}.${(change.sign ?? byRsa(outside.privateKey))(input).toString("base64url")}`;
}

const rsaPem = outside.publicKey.export({ type: "spki", format: "pem" }).toString();
const ownKey = embedded.jwks().keys[0];
const good = forge({});
const [goodHeaderText = "", goodClaimsText = "", goodSignature = ""] = good.split(".");

test("a token of the external issuer and one of our own are accepted", async () => {
  const token = await verifier().verify(good);
  assert.deepEqual(
    [token?.issuer.kind, token?.subject, token?.workspace, token?.email],
    ["external", "ada", "studio", null],
  );
  assert.ok(await verifier().verify(forge({ header: { alg: "ES256", kid: "ec-1" }, sign: byCurve })));
  const personId = newId<"person">();
  const workspaceId = newId<"workspace">();
  const made = await embedded.sign({ personId, workspaceId, sessionId: newId<"session">() });
  const verified = await verifier().verify(made.token);
  assert.deepEqual(
    [verified?.issuer.kind, verified?.subject, verified?.workspace],
    ["embedded", personId, workspaceId],
  );
});

const none: Signer = () => Buffer.alloc(0);
const forgeries: Record<string, string> = {
  "alg none": forge({ header: { alg: "none" }, sign: none }),
  "alg None": forge({ header: { alg: "None" }, sign: none }),
  "alg none with the old signature": forge({ header: { alg: "none" } }),
  "alg none without signature part": `${encode({ alg: "none", typ: "JWT" })}.${goodClaimsText}.`,
  "no alg": forge({ header: { alg: undefined } }),
  "alg that is a list": forge({ header: { alg: ["RS256"] } }),
  "HS256 with the public RSA key as secret": forge({ header: { alg: "HS256" }, sign: byMac(rsaPem) }),
  "HS256 with the key's modulus as secret": forge({
    header: { alg: "HS256" },
    sign: byMac(String(externalKeys[0]?.n)),
  }),
  "HS256 with an empty secret": forge({ header: { alg: "HS256" }, sign: byMac("") }),
  "HS256 with our own public key": forge({ header: { alg: "HS256", kid: "ring-1" }, sign: byMac(String(ownKey?.x)) }),
  "PS256, which is not on the list": forge({ header: { alg: "PS256" } }),
  "RS512, which is not on the list": forge({
    header: { alg: "RS512" },
    sign: (input) => sign("sha512", Buffer.from(input), outside.privateKey),
  }),
  "RS256 with an elliptic key": forge({ header: { kid: "ec-1" }, sign: byCurve }),
  "ES256 with an RSA key": forge({ header: { alg: "ES256" } }),
  "ES256 with an all-zero signature": forge({
    header: { alg: "ES256", kid: "ec-1" },
    sign: () => Buffer.alloc(64),
  }),
  "RSA key of 1024 bits": forge({ header: { kid: "weak-1" }, sign: byRsa(weak.privateKey) }),
  "a stranger's signature": forge({ sign: byRsa(strangerRsa.privateKey) }),
  "a stranger's key in jwk": forge({
    header: { jwk: strangerRsa.publicKey.export({ format: "jwk" }) },
    sign: byRsa(strangerRsa.privateKey),
  }),
  "a stranger's key set in jku": forge({
    header: { jku: "http://127.0.0.1:1/jwks.json", kid: "stranger" },
    sign: byRsa(strangerRsa.privateKey),
  }),
  "a stranger's certificate in x5u": forge({
    header: { x5u: "http://127.0.0.1:1/cert.pem" },
    sign: byRsa(strangerRsa.privateKey),
  }),
  "a stranger's certificate in x5c": forge({ header: { x5c: ["MIIB"] }, sign: byRsa(strangerRsa.privateKey) }),
  "kid with a path": forge({ header: { kid: "../../../../dev/null" }, sign: byMac("") }),
  "kid with SQL": forge({ header: { kid: "' or 1=1 --" } }),
  "kid of a prototype": forge({ header: { kid: "__proto__" } }),
  "kid that is a number": forge({ header: { kid: 1 } }),
  "unknown kid": forge({ header: { kid: "rsa-2" } }),
  "an unknown critical header": forge({ header: { crit: ["exp"], exp: 1 } }),
  "b64 false": forge({ header: { crit: ["b64"], b64: false } }),
  "no typ": forge({ header: { typ: undefined } }),
  "typ of another kind": forge({ header: { typ: "logout+jwt" } }),
  "another issuer": forge({ claims: { iss: "https://issuer.example.evil.example" } }),
  "issuer with a slash more": forge({ claims: { iss: "https://issuer.example/" } }),
  "issuer that is a list": forge({ claims: { iss: ["https://issuer.example"] } }),
  "no issuer": forge({ claims: { iss: undefined } }),
  "our issuer's name, the external key": forge({
    header: { typ: "at+jwt" },
    claims: { iss: baseUrl, aud: "atelier" },
  }),
  "our issuer's name and kid, a stranger's key": forge({
    header: { alg: "EdDSA", kid: "ring-1", typ: "at+jwt" },
    claims: { iss: baseUrl, aud: "atelier" },
    sign: (input) => sign(null, Buffer.from(input), stranger.privateKey),
  }),
  "another audience": forge({ claims: { aud: "somebody-else" } }),
  "no audience": forge({ claims: { aud: undefined } }),
  "no expiry": forge({ claims: { exp: undefined } }),
  "expiry as text": forge({ claims: { exp: String(nowSeconds + 3600) } }),
  "expired beyond the tolerance": forge({ claims: { exp: nowSeconds - 61 } }),
  "not valid yet": forge({ claims: { nbf: nowSeconds + 61 } }),
  "issued in the future": forge({ claims: { iat: nowSeconds + 3600, exp: nowSeconds + 7200 } }),
  "issued too long ago": forge({ claims: { iat: nowSeconds - 86_400 - 61 } }),
  "no issue time": forge({ claims: { iat: undefined } }),
  "no subject": forge({ claims: { sub: undefined } }),
  "empty subject": forge({ claims: { sub: "" } }),
  "subject with NUL": forge({ claims: { sub: "ada\u0000" } }),
  "subject that is a number": forge({ claims: { sub: 7 } }),
  "endless subject": forge({ claims: { sub: "a".repeat(256) } }),
  "no workspace": forge({ claims: { workspace: undefined } }),
  "workspace that is a list": forge({ claims: { workspace: ["studio"] } }),
  "changed claims under the old signature": `${goodHeaderText}.${encode({ ...goodClaims, sub: "bob" })}.${goodSignature}`,
  "no signature": `${goodHeaderText}.${goodClaimsText}.`,
  "two parts": `${goodHeaderText}.${goodClaimsText}`,
  "four parts": `${good}.${goodSignature}`,
  "padding at the end": `${good}=`,
  "a line break": `${good}\n`,
  "claims that are no object": (() => {
    const input = `${goodHeaderText}.${encode("text")}`;
    return `${input}.${byRsa(outside.privateKey)(input).toString("base64url")}`;
  })(),
  "more than 8 KiB": forge({ claims: { padding: "x".repeat(8 * 1024) } }),
  nothing: "",
  dots: "..",
};

test("there are at least forty forged tokens", () => {
  assert.ok(Object.keys(forgeries).length >= 40, String(Object.keys(forgeries).length));
});

for (const [what, token] of Object.entries(forgeries)) {
  test(`a token with ${what} is not accepted`, async () => {
    assert.equal(await verifier().verify(token), null);
  });
}

test("a verdict is remembered for a minute and never beyond the token's expiry", async () => {
  const moving = handClock();
  let finds = 0;
  const watched: TrustedIssuer = {
    ...external,
    keys: {
      ...external.keys,
      find: (header, token) => {
        finds += 1;
        return externalSet(header, token);
      },
    },
  };
  const tokens = createJwtVerifier({ issuers: [watched], clock: moving });
  const short = forge({ claims: { exp: nowSeconds + 30 } });
  assert.ok((await tokens.verify(good)) && (await tokens.verify(good)));
  assert.ok(await tokens.verify(short));
  assert.equal(finds, 2);
  await moving.advance(30_000);
  assert.ok(!tokens.isRemembered(short) && tokens.isRemembered(good));
  await moving.advance(30_000);
  assert.ok(!tokens.isRemembered(good));
  assert.ok(await tokens.verify(good));
  assert.equal(finds, 3);
  await moving.advance(31_000);
  assert.equal(await tokens.verify(short), null);
});

test("keys that cannot be had are an outage, not a bad token", async () => {
  const away: TrustedIssuer = {
    ...external,
    keys: {
      freshUntilMs: () => 0,
      find: () => Promise.reject(new Fault("service_unavailable", "away", { retryAfterSeconds: 30 })),
    },
  };
  await assert.rejects(createJwtVerifier({ issuers: [away], clock }).verify(good), { code: "service_unavailable" });
});

test("our issuer publishes public keys only, one per key of the ring, and an older one still verifies", async () => {
  const first = { id: "old", secret: randomBytes(32) };
  const second = { id: "new", secret: randomBytes(32) };
  let current = first;
  const issuer = createEmbeddedIssuer({
    clock,
    baseUrl: () => baseUrl,
    keyRing: { current: () => current, verifying: () => (current === first ? [first] : [first, second]) },
  });
  const tokens = createJwtVerifier({ issuers: [{ ...own, keys: issuer.keys }], clock });
  const holder = { personId: newId<"person">(), workspaceId: newId<"workspace">(), sessionId: newId<"session">() };
  const before = await issuer.sign(holder);
  assert.deepEqual(Object.keys(issuer.jwks().keys[0] ?? {}).sort(), ["alg", "crv", "kid", "kty", "use", "x"]);
  current = second;
  const after = await issuer.sign(holder);
  assert.equal(issuer.jwks().keys.length, 2);
  assert.ok((await tokens.verify(before.token)) && (await tokens.verify(after.token)));
});
