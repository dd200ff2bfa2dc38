// An issuer, honest or not, made only of documents and keys, on a clock moved by hand.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, test } from "node:test";
import { type JWTPayload, SignJWT } from "jose";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import type { AskIssuer, IssuerRequest } from "./issuer-documents.ts";
import { createOidc, type OidcFlow, type OidcSettings } from "./oidc.ts";

const name = "https://issuer.example";
const redirect = "https://studio.example/sign-in/oidc/callback";
const settings: OidcSettings = {
  issuer: name,
  clientId: "atelier",
  clientSecret: "s3cret &",
  allowedDomains: ["studio.example"],
  allowedSubjects: ["robot"],
  groupsClaim: null,
};
const honest: JWTPayload = { sub: "ada", email: "ada@studio.example", email_verified: true, name: "Ada" };
const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

interface Issued {
  readonly claims?: JWTPayload;
  readonly header?: { readonly alg?: string; readonly kid?: string };
  readonly key?: KeyObject | Uint8Array;
  readonly audience?: string | string[];
  readonly agoSeconds?: number;
  readonly lastsSeconds?: number;
}

function anIssuer(changed: Partial<OidcSettings> = {}, document: object = {}) {
  const clock = handClock();
  const seen: IssuerRequest[] = [];
  let keys = [{ kid: "one", pair: newKey() }];
  let answer: { status: number; body: unknown } | null = null;
  let isAway = false;
  const pages: Record<string, () => unknown> = {
    [`${name}/.well-known/openid-configuration`]: () => ({
      issuer: name,
      authorization_endpoint: `${name}/authorize?tenant=1`,
      token_endpoint: `${name}/token`,
      jwks_uri: `${name}/keys`,
      ...document,
    }),
    [`${name}/keys`]: () => ({
      keys: keys.map(({ kid, pair }) => ({ ...pair.publicKey.export({ format: "jwk" }), kid, use: "sig" })),
    }),
  };
  const ask: AskIssuer = async (request) => {
    seen.push(request);
    if (isAway) throw new Error("away");
    const given = request.url === `${name}/token` ? answer : { status: 200, body: pages[request.url]?.() };
    return { status: given?.status ?? 500, body: new TextEncoder().encode(JSON.stringify(given?.body ?? null)) };
  };
  const oidc = createOidc({ settings: { ...settings, ...changed }, ask, clock });
  const sign = (nonce: string, issued: Issued = {}) => {
    const now = Math.floor(clock.now().getTime() / 1000) - (issued.agoSeconds ?? 0);
    const [{ kid, pair } = { kid: "", pair: newKey() }] = keys;
    return new SignJWT({ ...honest, nonce, ...issued.claims })
      .setProtectedHeader({ alg: "ES256", kid, ...issued.header })
      .setIssuer(String(issued.claims?.iss ?? name))
      .setAudience(issued.audience ?? "atelier")
      .setIssuedAt(now)
      .setExpirationTime(now + (issued.lastsSeconds ?? 300))
      .sign(issued.key ?? pair.privateKey);
  };
  return {
    clock,
    oidc,
    seen,
    pages,
    sign,
    rotate: () => {
      keys = [{ kid: "two", pair: newKey() }];
    },
    goAway: (away = true) => {
      isAway = away;
    },
    give: (status: number, body: unknown) => {
      answer = { status, body };
    },
    // The whole round trip: there, an answer of this kind, and back.
    async enter(issued: Issued = {}, back: (flow: OidcFlow) => Record<string, string> = () => ({})) {
      const { flow } = await oidc.begin(redirect);
      answer = { status: 200, body: { id_token: await sign(flow.nonce, issued), access_token: "at" } };
      const query = new URLSearchParams({ code: "c0de", state: flow.state, ...back(flow) });
      return oidc.finish(query, flow, redirect);
    },
  };
}

const refusedAs = (kind: string) => (thrown: unknown) => {
  assert.ok(thrown instanceof Fault, String(thrown));
  assert.equal(Object(thrown.details).sign_in ?? thrown.code, kind);
  return true;
};

describe("there", () => {
  test("the issuer is asked with a state, a nonce and a challenge that are new each time", async () => {
    const { oidc } = anIssuer();
    const [one, two] = [await oidc.begin(redirect), await oidc.begin(redirect)];
    const asked = Object.fromEntries(new URL(one.url).searchParams);
    const code_challenge = createHash("sha256").update(one.flow.verifier).digest("base64url");
    const { state, nonce } = one.flow;
    const fixed = { tenant: "1", response_type: "code", client_id: "atelier", redirect_uri: redirect };
    const scope = "openid profile email";
    assert.deepEqual(asked, { ...fixed, scope, state, nonce, code_challenge, code_challenge_method: "S256" });
    for (const part of ["state", "nonce", "verifier"] as const) assert.notEqual(one.flow[part], two.flow[part]);
  });

  test("a document of another issuer, or with addresses that others could read, is not used", async () => {
    for (const document of [
      { issuer: "https://evil.example" },
      { issuer: undefined },
      { token_endpoint: "http://issuer.example/token" },
      { authorization_endpoint: "javascript:alert(1)" },
      { jwks_uri: 7 },
    ])
      await assert.rejects(anIssuer({}, document).oidc.begin(redirect), refusedAs("service_unavailable"));
  });

  test("an unreachable issuer is reported as such, and asked again once it is back", async () => {
    const issuer = anIssuer();
    issuer.goAway();
    await assert.rejects(issuer.oidc.begin(redirect), refusedAs("service_unavailable"));
    issuer.goAway(false);
    await issuer.oidc.begin(redirect);
  });
});

describe("back", () => {
  test("an honest answer is the person, and the code is redeemed with its verifier and our secret", async () => {
    const issuer = anIssuer();
    const person = await issuer.enter();
    const expected = { issuer: name, subject: "ada", name: "Ada", email: "ada@studio.example", groups: [] };
    assert.deepEqual(person, expected);
    const sent = issuer.seen.find(({ url }) => url.endsWith("/token"));
    const fields = Object.fromEntries(new URLSearchParams(sent?.body));
    assert.deepEqual([fields["code"], fields["redirect_uri"], fields["client_id"]], ["c0de", redirect, undefined]);
    const given = Buffer.from(String(sent?.headers?.["authorization"]).slice(6), "base64").toString();
    assert.equal(given, "atelier:s3cret+%26");
  });

  test("a public client, and one whose issuer takes no Basic, name themselves in the form", async () => {
    for (const [changed, document, secret] of [
      [{ clientSecret: null }, {}, undefined],
      [{}, { token_endpoint_auth_methods_supported: ["client_secret_post"] }, settings.clientSecret],
    ] as const) {
      const issuer = anIssuer(changed, document);
      await issuer.enter();
      const sent = issuer.seen.find(({ url }) => url.endsWith("/token"));
      const fields = Object.fromEntries(new URLSearchParams(sent?.body));
      assert.deepEqual([fields["client_id"], fields["client_secret"]], ["atelier", secret]);
      assert.equal(sent?.headers?.["authorization"], undefined);
    }
  });

  test("an answer that this browser did not ask for is not looked at", async () => {
    const issuer = anIssuer();
    const { flow } = await issuer.oidc.begin(redirect);
    const finish = (query: string, kept: OidcFlow | null) =>
      issuer.oidc.finish(new URLSearchParams(query), kept, redirect);
    await assert.rejects(finish(`code=x&state=${flow.state}`, null), refusedAs("began_elsewhere"));
    await assert.rejects(finish("code=x&state=other", flow), refusedAs("began_elsewhere"));
    await assert.rejects(finish("code=x", flow), refusedAs("began_elsewhere"));
    await assert.rejects(finish("error=access_denied&state=other", flow), refusedAs("began_elsewhere"));
    await assert.rejects(finish(`code=x&state=${flow.state}&state=${flow.state}`, flow), refusedAs("invalid"));
    assert.ok(issuer.seen.every(({ url }) => !url.endsWith("/token")));
  });

  test("another issuer's answer is refused, by iss where it is present or required", async () => {
    await assert.rejects(
      anIssuer().enter({}, () => ({ iss: "https://evil.example" })),
      refusedAs("invalid"),
    );
    const strict = { authorization_response_iss_parameter_supported: true };
    await assert.rejects(anIssuer({}, strict).enter(), refusedAs("invalid"));
    await anIssuer({}, strict).enter({}, () => ({ iss: name }));
    await assert.rejects(anIssuer().enter({ claims: { iss: "https://evil.example" } }), refusedAs("invalid"));
  });

  test("the issuer's refusals are distinguished: denied, used code, and server trouble", async () => {
    await assert.rejects(
      anIssuer().enter({}, () => ({ error: "access_denied" })),
      refusedAs("denied"),
    );
    await assert.rejects(
      anIssuer().enter({}, () => ({ error: "server_error" })),
      refusedAs("service_unavailable"),
    );
    for (const [status, kind] of [
      [400, "invalid"],
      [302, "invalid"],
      [503, "service_unavailable"],
    ] as const) {
      const issuer = anIssuer();
      const { flow } = await issuer.oidc.begin(redirect);
      issuer.give(status, { error: "invalid_grant" });
      const query = new URLSearchParams({ code: "x", state: flow.state });
      await assert.rejects(issuer.oidc.finish(query, flow, redirect), refusedAs(kind));
    }
  });

  test("an ID token for others, of another time, with another nonce or a foreign signature is refused", async () => {
    const foreign = newKey();
    const bad: Record<string, Issued> = {
      "another audience": { audience: "other" },
      "several audiences, not given to us": { audience: ["atelier", "other"] },
      "given to another": { audience: ["atelier", "other"], claims: { azp: "other" } },
      "another nonce": { claims: { nonce: "other" } },
      "no nonce": { claims: { nonce: undefined } },
      "expired beyond the tolerance": { agoSeconds: 361 },
      "too old, although not expired": { agoSeconds: 661, lastsSeconds: 86_400 },
      "from the future": { agoSeconds: -120 },
      "signed by another": { key: foreign.privateKey },
      "a key that the issuer does not have": { key: foreign.privateKey, header: { kid: "two" } },
      "signed with the client's secret": {
        key: new TextEncoder().encode("s3cret &".repeat(8)),
        header: { alg: "HS256" },
      },
      "no subject": { claims: { sub: "" } },
      "a subject that cannot be stored": { claims: { sub: "a\u0000b" } },
    };
    for (const [what, issued] of Object.entries(bad))
      await assert.rejects(anIssuer().enter(issued), refusedAs("invalid"), what);
    await anIssuer().enter({ audience: ["atelier", "other"], claims: { azp: "atelier" } });
    await anIssuer().enter({ agoSeconds: 359 });
  });

  test("a new key of the issuer is found, at most every thirty seconds", async () => {
    const issuer = anIssuer();
    await issuer.enter();
    issuer.rotate();
    await assert.rejects(issuer.enter(), refusedAs("invalid"));
    await issuer.clock.advance(30_000);
    await issuer.enter();
  });
});

describe("who may enter", () => {
  test("is decided by verified addresses and names, and nobody by default", async () => {
    const cases: readonly [JWTPayload, Partial<OidcSettings>, string | null][] = [
      [honest, {}, null],
      [{ ...honest, email: "ada@STUDIO.example" }, {}, null],
      [{ ...honest, email: "ada@evil.example" }, {}, "not_allowed"],
      [{ ...honest, email: "ada@studio.example.evil.example" }, {}, "not_allowed"],
      [{ ...honest, email: "ada@sub.studio.example" }, {}, "not_allowed"],
      [{ ...honest, email: "eve@evil.example@studio.example" }, {}, "invalid"],
      [{ ...honest, email: "eve@evil.example\nada@studio.example" }, {}, "invalid"],
      [{ ...honest, email: "ada@studio.example\n" }, { allowedDomains: ["*"] }, "invalid"],
      [{ ...honest, email: undefined }, {}, "not_allowed"],
      [{ ...honest, email_verified: false }, {}, "unverified"],
      [{ ...honest, email_verified: undefined }, {}, "unverified"],
      [{ ...honest, sub: "robot", email: undefined }, {}, null],
      [{ ...honest, email: "ada@evil.example" }, { allowedDomains: ["*"] }, null],
      [honest, { allowedDomains: [], allowedSubjects: [] }, "not_allowed"],
    ];
    for (const [claims, changed, kind] of cases) {
      const entering = anIssuer(changed).enter({ claims });
      if (kind === null) await entering;
      else await assert.rejects(entering, refusedAs(kind), JSON.stringify(claims));
    }
  });

  test("an address that was not verified is not kept, and groups are read only where they decide something", async () => {
    const claims = { email_verified: false, groups: ["ops"] };
    const person = await anIssuer({ allowedDomains: ["*"] }).enter({ claims });
    assert.deepEqual([person.email, person.groups], [null, []]);
    const grouped = anIssuer({ groupsClaim: "groups" });
    assert.deepEqual((await grouped.enter({ claims: { groups: ["ops", 7] } })).groups, ["ops"]);
    assert.deepEqual((await grouped.enter({ claims: { groups: "ops" } })).groups, []);
    assert.deepEqual((await grouped.enter()).groups, []);
    const nested = anIssuer({ groupsClaim: "realm_access.roles" });
    assert.deepEqual((await nested.enter({ claims: { realm_access: { roles: ["ops"] } } })).groups, ["ops"]);
    const named = anIssuer({ groupsClaim: "https://studio.example/groups" });
    assert.deepEqual((await named.enter({ claims: { "https://studio.example/groups": ["ops"] } })).groups, ["ops"]);
  });

  test("the address may come from userinfo, of the same person only", async () => {
    for (const [sub, kind] of [
      ["ada", null],
      ["eve", "invalid"],
    ] as const) {
      const issuer = anIssuer({}, { userinfo_endpoint: `${name}/me` });
      issuer.pages[`${name}/me`] = () => ({ ...honest, sub });
      const entering = issuer.enter({ claims: { email: undefined, email_verified: undefined } });
      if (kind === null) assert.equal((await entering).email, "ada@studio.example");
      else await assert.rejects(entering, refusedAs(kind));
    }
  });
});

test("while the issuer hangs, eight sign-ins wait and the ninth is refused at once", async () => {
  const hanging = Promise.withResolvers<never>();
  const oidc = createOidc({ settings, ask: () => hanging.promise, clock: handClock() });
  const waiting = Array.from({ length: 8 }, () => oidc.begin(redirect));
  await assert.rejects(
    oidc.begin(redirect),
    (thrown) => thrown instanceof Fault && thrown.code === "service_unavailable",
  );
  hanging.reject(new Error("away"));
  for (const each of await Promise.allSettled(waiting)) assert.equal(each.status, "rejected");
  await assert.rejects(oidc.begin(redirect), "asked again, since there is room");
});
