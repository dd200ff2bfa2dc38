// Signing in at an OpenID Connect issuer: authorization code with PKCE. `begin` creates what the browser keeps in a
// cookie until it comes back; `finish` trusts an answer only if the same browser asked for it, the same issuer gave it,
// and the ID token confirms it under the issuer's own keys.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type JWTPayload, jwtVerify } from "jose";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { isOneAddress } from "../identity/index.ts";
import {
  type AskIssuer,
  askForObject,
  asText,
  type IssuerFacts,
  issuerAway,
  issuerDocuments,
  readObject,
} from "./issuer-documents.ts";

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly allowedDomains: readonly string[];
  readonly allowedSubjects: readonly string[];
  // The claim that names a person's groups: its name, or a path with dots into an object. Null if groups decide nothing here.
  readonly groupsClaim: string | null;
}

// What the browser keeps from beginning to end.
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface VouchedPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  // Only if the issuer has verified it.
  readonly email: string | null;
  readonly groups: readonly string[];
}

export interface Oidc {
  begin(redirectUrl: string): Promise<{ readonly url: string; readonly flow: OidcFlow }>;
  // Throws a Fault whose details.sign_in says how it failed.
  finish(query: URLSearchParams, flow: OidcFlow | null, redirectUrl: string): Promise<VouchedPerson>;
}

export interface OidcDeps {
  readonly settings: OidcSettings;
  readonly ask: AskIssuer;
  readonly clock: Clock;
}

// No `none`, and nothing symmetric: someone who knows our client secret must not be able to sign.
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const clockToleranceSeconds = 60;
const tokenAgeSecondsMax = 600;
const answerBytesMax = 64 * 1024;
const timeoutMs = 10_000;
const codeCharactersMax = 2_048;
// How many sign-ins may wait for the issuer at the same time. If the issuer hangs, further ones are refused right away.
const waitingMax = 8;

export function createOidc(deps: OidcDeps): Oidc {
  const documents = issuerDocuments({ ...deps, issuer: deps.settings.issuer });
  let waiting = 0;
  async function bounded<T>(run: () => Promise<T>): Promise<T> {
    if (waiting >= waitingMax) throw issuerAway("too many sign-ins are waiting for it");
    waiting += 1;
    return run().finally(() => {
      waiting -= 1;
    });
  }
  return {
    async begin(redirectUrl) {
      const facts = await bounded(() => documents.read());
      const flow = { state: randomText(), nonce: randomText(), verifier: randomText() };
      const url = new URL(facts.authorizationUrl);
      const asked = {
        response_type: "code",
        client_id: deps.settings.clientId,
        redirect_uri: redirectUrl,
        scope: deps.settings.groupsClaim === null ? "openid profile email" : "openid profile email groups",
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: createHash("sha256").update(flow.verifier).digest("base64url"),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return { url: url.href, flow };
    },
    finish: (query, flow, redirectUrl) =>
      bounded(async () => {
        const facts = await documents.read();
        const code = readAnswer(query, flow, facts);
        if (flow === null) throw refused("began_elsewhere");
        const tokens = await redeem(deps, facts, { code, verifier: flow.verifier, redirectUrl });
        const claims = await readIdToken(deps, facts, { token: tokens.idToken, nonce: flow.nonce });
        return admit(deps.settings, facts, await withUserinfo(deps, facts, claims, tokens.accessToken));
      }),
  };
}

// 256 random bits as 43 characters, as PKCE requires of a verifier.
const randomText = (): string => randomBytes(32).toString("base64url");

export type OidcRefusal = "began_elsewhere" | "denied" | "invalid" | "not_allowed" | "unverified";

const words: Readonly<Record<OidcRefusal, string>> = {
  began_elsewhere: "This sign-in was started in another browser, at another address, or too long ago. Start again.",
  denied: "The sign-in provider did not sign you in.",
  invalid: "The sign-in provider's answer could not be verified. Start again.",
  not_allowed: "You signed in, but you do not have access to this server. Ask its operator.",
  unverified: "The sign-in provider has not verified your e-mail address. This server only accepts verified addresses.",
};

// `cause` is for the log: the exact reason helps an operator, but also a forger.
export function refused(kind: OidcRefusal, cause?: unknown): Fault {
  return new Fault("forbidden", words[kind], { details: { sign_in: kind }, ...(cause === undefined ? {} : { cause }) });
}

// The order matters: nothing in the answer is trusted before the state proves that this browser asked.
function readAnswer(query: URLSearchParams, flow: OidcFlow | null, { issuer, namesItself }: IssuerFacts): string {
  const one = (name: string): string | null => {
    const values = query.getAll(name);
    if (values.length > 1) throw refused("invalid", `${name} occurs twice in the answer`);
    return values[0] ?? null;
  };
  const state = one("state");
  if (flow === null || state === null || !isSame(state, flow.state)) throw refused("began_elsewhere");
  const named = one("iss");
  if (named === null ? namesItself : named !== issuer) throw refused("invalid", "the answer is from another issuer");
  const error = one("error");
  if (error === "temporarily_unavailable" || error === "server_error") throw issuerAway(`it says ${error}`);
  if (error !== null) throw refused("denied", `the issuer says ${error.slice(0, 100)}`);
  const code = one("code");
  if (code === null || code === "" || code.length > codeCharactersMax) throw refused("invalid", "there is no code");
  return code;
}

interface Tokens {
  readonly idToken: string;
  readonly accessToken: string | null;
}

async function redeem(
  { ask, settings }: OidcDeps,
  facts: IssuerFacts,
  { code, verifier, redirectUrl }: { code: string; verifier: string; redirectUrl: string },
): Promise<Tokens> {
  const { clientId, clientSecret } = settings;
  const fields = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUrl,
    code_verifier: verifier,
  });
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  if (clientSecret !== null && facts.takesBasic) headers["authorization"] = basic(clientId, clientSecret);
  else fields.set("client_id", clientId);
  if (clientSecret !== null && !facts.takesBasic) fields.set("client_secret", clientSecret);
  const request = { url: facts.tokenUrl, method: "POST", headers, body: fields.toString() } as const;
  const answer = await ask({ ...request, bytesMax: answerBytesMax, timeoutMs }).catch((thrown: unknown) => {
    throw issuerAway("no answer came", thrown);
  });
  const body = readObject(answer.body);
  if (answer.status >= 500 || answer.status === 429) throw issuerAway(`it answered ${answer.status}`);
  // invalid_grant: the code was used, is too old, or was never ours. Anything else is a problem of our own client.
  if (answer.status !== 200)
    throw refused("invalid", `the code was refused: ${asText(body?.["error"]) ?? answer.status}`);
  const idToken = asText(body?.["id_token"]);
  if (idToken === null) throw refused("invalid", "there is no ID token");
  return { idToken, accessToken: asText(body?.["access_token"]) };
}

// RFC 6749, section 2.3.1: both parts are form-encoded before they are joined.
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}

async function readIdToken(
  { settings, clock }: OidcDeps,
  facts: IssuerFacts,
  { token, nonce }: { token: string; nonce: string },
): Promise<JWTPayload & { readonly sub: string }> {
  const { payload } = await jwtVerify(token, (header, input) => facts.keys.find(header, input), {
    algorithms,
    issuer: facts.issuer,
    audience: settings.clientId,
    requiredClaims: ["exp", "iat", "sub"],
    maxTokenAge: tokenAgeSecondsMax,
    clockTolerance: clockToleranceSeconds,
    currentDate: clock.now(),
  }).catch((thrown: unknown) => {
    throw thrown instanceof Fault ? issuerAway("its keys cannot be fetched", thrown) : refused("invalid", thrown);
  });
  const { sub, aud, azp } = payload;
  if (sub === undefined || !isName(sub)) throw refused("invalid", "sub is not a valid subject");
  if (typeof payload["nonce"] !== "string" || !isSame(payload["nonce"], nonce))
    throw refused("invalid", "another nonce");
  // A token for several audiences is trusted only if it was issued to us.
  const isForThisClient = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === settings.clientId;
  if (!isForThisClient) throw refused("invalid", "the token was issued to another client");
  return { ...payload, sub };
}

// Many issuers give the address, or the groups, only there. It must be about the same person.
async function withUserinfo(
  { ask, settings: { groupsClaim } }: OidcDeps,
  { userinfoUrl }: IssuerFacts,
  claims: JWTPayload & { readonly sub: string },
  accessToken: string | null,
): Promise<JWTPayload & { readonly sub: string }> {
  const hasGroups = groupsClaim === null || findClaim(claims, groupsClaim) !== undefined;
  const isComplete = claims["email"] !== undefined && claims["name"] !== undefined && hasGroups;
  if (isComplete || userinfoUrl === null || accessToken === null) return claims;
  const headers = { authorization: `Bearer ${accessToken}`, accept: "application/json" };
  const userinfo = await askForObject(ask, {
    url: userinfoUrl,
    method: "GET",
    headers,
    bytesMax: answerBytesMax,
    timeoutMs,
  });
  if (userinfo["sub"] !== claims.sub) throw refused("invalid", "the userinfo belongs to another person");
  return { ...userinfo, ...claims };
}

// Denies by default: admits by the issuer's own name for the person, or by the domain of an address it has verified.
function admit(
  settings: OidcSettings,
  { issuer }: IssuerFacts,
  claims: JWTPayload & { readonly sub: string },
): VouchedPerson {
  const { sub: subject } = claims;
  const isVerified = claims["email_verified"] === true || claims["email_verified"] === "true";
  const written = asText(claims["email"]);
  if (written !== null && !isOneAddress(written)) throw refused("invalid", "its e-mail is not a single address");
  const email = isVerified ? written : null;
  const isNamed = settings.allowedSubjects.includes(subject) || settings.allowedDomains.includes("*");
  const domain = written?.slice(written.lastIndexOf("@") + 1).toLowerCase() ?? "";
  if (!isNamed && !settings.allowedDomains.includes(domain)) throw refused("not_allowed");
  if (!isNamed && email === null) throw refused("unverified");
  const groups = settings.groupsClaim === null ? [] : readGroups(claims, settings.groupsClaim);
  return { issuer, subject, name: asText(claims["name"]) ?? asText(claims["preferred_username"]), email, groups };
}

// Only a list counts: a single text could be several names in a form that we would read wrong.
function readGroups(claims: JWTPayload, claim: string): readonly string[] {
  const found = findClaim(claims, claim);
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
}

function findClaim(claims: JWTPayload, claim: string): unknown {
  return claims[claim] ?? claim.split(".").reduce<unknown>(memberOf, claims);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

// Text that can be stored and compared.
const isName = (text: string) => text.length > 0 && text.length <= 255 && text.isWellFormed() && !/\p{Cc}/u.test(text);

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
