// Signing in at an OpenID provider in a real browser, from another site. The session's strict cookie is not sent with the
// redirect back itself, but must be there for the pages that follow.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type OpenIdIssuer, openIdIssuer } from "../support/openid-issuer.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { browse, skip } from "./support/browser.ts";

describe("signing in at an OpenID provider", { skip }, () => {
  let issuer: OpenIdIssuer;
  let app: TestApp;
  before(async () => {
    // To a browser, another name of this machine is another site.
    issuer = await openIdIssuer("localhost");
    issuer.people.set("ada", { email: "ada@studio.example", email_verified: true, name: "Ada" });
    issuer.people.set("eve", { email: "eve@evil.example", email_verified: true, name: "Eve" });
    app = await testApp({
      env: {
        ATELIER_OIDC_ISSUER: issuer.url,
        ATELIER_OIDC_CLIENT_ID: issuer.clientId,
        ATELIER_OIDC_CLIENT_SECRET: issuer.clientSecret,
        ATELIER_OIDC_NAME: "Studio login",
        ATELIER_OIDC_ALLOWED_DOMAINS: "studio.example",
      },
    });
    issuer.serveClient(`${app.baseUrl}/sign-in/oidc/callback`);
  });
  after(async () => {
    await app.close();
    await issuer.close();
  });

  async function signIn(login: string) {
    const { page, context, close } = await browse(app.baseUrl);
    await page.goto(`${app.baseUrl}/console/you`);
    await page.getByRole("link", { name: "Sign in with Studio login" }).click();
    await page.locator("input[name=login]").fill(login);
    await page.locator("input[name=password]").fill("x");
    await page.locator("button[type=submit]").click();
    await page.locator("button[type=submit]").click();
    return { page, context, close };
  }

  test("leads back to where the person was going, signed in", async () => {
    const { page, context, close } = await signIn("ada");
    try {
      await page.waitForURL(`${app.baseUrl}/console/you`);
      await page.getByRole("heading", { name: "Ada" }).waitFor();
      await page.getByText("single sign-on").waitFor();
      const session = (await context.cookies(app.baseUrl)).find(({ name }) => name === "atelier_session");
      assert.deepEqual([session?.httpOnly, session?.sameSite], [true, "Strict"]);
    } finally {
      await close();
    }
  });

  test("leads a person who may not enter to the sign-in page, which says so", async () => {
    const { page, close } = await signIn("eve");
    try {
      await page.waitForURL(/\/sign-in\?problem=not_allowed/);
      await page.getByRole("alert").getByText("Your account has no access").waitFor();
    } finally {
      await close();
    }
  });
});
