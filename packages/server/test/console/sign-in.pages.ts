// The way in and the way out: links in every state, the page that says how to get one, and a person's own sessions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { textOf } from "../support/app-client.ts";
import { holds } from "./holds.ts";
import { looksNow, type Scene } from "./scene.ts";

export function signInPages(scene: () => Scene): void {
  // A separate person, so that the scene's session stays as it is.
  async function aLink(name: string): Promise<string> {
    const { baseUrl, server } = scene();
    const key = /^API key: +(\S+)$/m.exec(readFileSync(`${server.home}/first-key.txt`, "utf8"))?.[1] ?? "";
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const account: unknown = await (await fetch(`${baseUrl}/account`, { headers })).json();
    const answer = await fetch(`${baseUrl}/account/workspaces/${textOf(account, "workspace", "id")}/members`, {
      method: "POST",
      headers,
      body: JSON.stringify({ name }),
    });
    return new URL(textOf(await answer.json(), "sign_in", "url")).pathname;
  }

  describe("signing in", () => {
    for (const look of looksNow)
      test(`${look}: the page that explains it is accessible, and remembers where the person was going`, async () => {
        const visit = await scene().visit(look, { signedIn: false });
        await visit.page.goto("/console/gallery");
        await visit.page.waitForURL("**/sign-in?return_to=%2Fconsole%2Fgallery");
        await visit.page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
        await visit.requireAccessible();
        await visit.picture("sign-in");
        // A link opened in another tab of the same browser leads there.
        const [link, page] = [await aLink("Ada"), await visit.context.newPage()];
        await page.goto(link);
        await page.waitForURL("**/console/gallery");
        await visit.close();
      });

    test("a link signs in by itself on this machine, once; then it says that it was used", async () => {
      const visit = await scene().visit("light", { signedIn: false });
      const link = await aLink("Bo <img src=x onerror=alert(1)>");
      await visit.page.goto(link);
      await visit.page.waitForURL((url) => url.pathname === "/");
      const other = await scene().visit("light", { signedIn: false });
      await other.open(link);
      await other.page.getByRole("heading", { level: 1, name: "This link has already been used" }).waitFor();
      await other.requireAccessible();
      await other.open(`/sign-in/${"x".repeat(43)}`);
      await other.page.getByRole("heading", { level: 1, name: "This link is not valid" }).waitFor();
      await other.page.getByRole("link", { name: "Get a new link" }).click();
      await other.page.waitForURL("**/sign-in");
      await Promise.all([visit.close(), other.close()]);
    });

    test("a refusal by the issuer is explained in words, with the request", async () => {
      const visit = await scene().visit("light", { signedIn: false });
      await visit.open("/sign-in/oidc");
      await visit.page.getByRole("alert").getByText("No sign-in provider is set up here").waitFor();
      await visit.open("/sign-in?problem=not_allowed&request=26746c6d-454a-420c-aa81-1c118dc59698");
      await visit.page.getByRole("alert").getByText("Your account has no access").waitFor();
      await visit.requireAccessible();
      await visit.close();
    });
  });

  describe("one's own sessions", () => {
    test("are listed, and signing out ends this one everywhere and leads to the sign-in page", async () => {
      const link = await aLink("Cy");
      const mine = await scene().visit("light", { signedIn: false });
      await mine.page.goto(link);
      await mine.page.waitForURL((url) => url.pathname === "/");
      const { page } = mine;
      const cookies = await mine.context.cookies();
      // Their draft, which ends with the session.
      const words = `a draft of Cy's ${Date.now()}`;
      const isKept = `JSON.stringify(localStorage).includes(${JSON.stringify(words)})`;
      await mine.open("/console/models/sandbox/image-1");
      await page.getByRole("textbox", { name: "Prompt" }).fill(words);
      await holds(page, isKept);
      await mine.open("/console/you");
      await page.getByRole("heading", { name: "Cy" }).waitFor();
      await page.getByText("this one").waitFor();
      await mine.requireAccessible();
      await mine.picture("you");
      await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
      await page.waitForURL("**/sign-in");
      assert.equal(await page.evaluate(isKept), false, "no draft is left for the next person");
      // The cookie is worthless now, wherever it was copied to.
      const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };
      assert.equal((await fetch(`${scene().baseUrl}/account`, { headers })).status, 401);
      await page.goto("/console/jobs");
      await page.waitForURL("**/sign-in?return_to=%2Fconsole%2Fjobs");
      await mine.close();
    });

    test("phone: the page works at its width", async () => {
      const visit = await scene().visit("phone");
      await visit.open("/console/you");
      await visit.page.getByText("this one").waitFor();
      await visit.requireAccessible();
      await visit.picture("you");
      await visit.close();
    });
  });
}
