// A real OpenID provider on a loopback port, and a browser with cookies and redirects: enough to sign in on the
// provider's own pages. Typing a name signs in as that person, with the claims that the test gave them.
import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export interface OpenIdIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
  // A separate step: the server must know its issuer before it listens, and the issuer must know the server's address.
  serveClient(redirectUrl: string): void;
  // From now on, accepts requests but answers none. The returned function cuts them off and ends this.
  hang(): () => void;
  close(): Promise<void>;
}

// `host`: a name of this machine.
export async function openIdIssuer(host = "127.0.0.1"): Promise<OpenIdIssuer> {
  let handle: ReturnType<Provider["callback"]> | null = null;
  let isHanging = false;
  const server: Server = createServer((request, response) => {
    if (isHanging) return;
    if (handle === null) response.writeHead(503).end();
    else void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://${host}:${port}`;
  const people: OpenIdIssuer["people"] = new Map();
  const [clientId, clientSecret] = ["atelier", randomBytes(24).toString("base64url")];
  return {
    url,
    clientId,
    clientSecret,
    people,
    serveClient(redirectUrl) {
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      handle = new Provider(url, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] }],
        jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "rsa-1", use: "sig", alg: "RS256" }] },
        cookies: { keys: [randomBytes(16).toString("hex")] },
        claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: async () => ({ sub: id, ...people.get(id) }),
        }),
      }).callback();
    },
    hang() {
      isHanging = true;
      return () => {
        isHanging = false;
        server.closeAllConnections();
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

// Signs in on the issuer's own pages; returns the address that the issuer sends the browser back to.
export async function signInAtIssuer(begin: string, login: string, redirectUrl: string): Promise<string> {
  const jar = new Map<string, string>();
  let [address, form]: [string, Record<string, string> | null] = [begin, null];
  for (let step = 0; step < 15; step += 1) {
    if (address.startsWith(redirectUrl)) return address;
    const answer: Response = await fetch(address, {
      method: form === null ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === null ? {} : { body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get("location");
    const page = await answer.text();
    if (location !== null) [address, form] = [new URL(location, address).href, null];
    else {
      const action = /action="([^"]+)"/.exec(page)?.[1];
      assert.ok(action, page);
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
      [address, form] = [
        new URL(action, address).href,
        prompt === "login" ? { prompt, login, password: "x" } : { prompt },
      ];
    }
  }
  return assert.fail("the issuer does not come to an end");
}
