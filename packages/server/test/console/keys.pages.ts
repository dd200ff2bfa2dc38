// API keys, credentials, members, usage and webhooks.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { looksNow, type Scene, type Visit } from "./scene.ts";

const pages = {
  keys: "/profile/api-keys",
  credentials: "/console/credentials",
  members: "/console/members",
  usage: "/console/usage",
  webhooks: "/console/webhooks",
} as const;

export function keysPages(scene: () => Scene): void {
  describe("the account's pages", () => {
    test("a key made by keyboard alone is shown once, turns green with its first call, and is never shown again", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.keys);
      const secret = await makeKey(visit, "Ada's laptop <b>");
      await visit.picture("keys-ready");
      await visit.requireAccessible();
      await page.getByText("Waiting for the first call…").waitFor();
      assert.equal(await statusWith(scene(), secret), 200);
      await page.getByText("The first call arrived. The key works.").waitFor();
      const bodies = laterBodies(visit);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      assert.ok(!(await page.content()).includes(secret), "it is not in the page any more");
      await visit.open(pages.keys);
      await page.getByRole("heading", { name: "Ada's laptop <b>" }).waitFor();
      assert.ok(!(await page.content()).includes(secret));
      for (const body of await bodies()) assert.ok(!body.includes(secret), "no later answer holds it");
      await visit.close();
    });

    test("a renamed key keeps working; revoking asks for its name, and then it stops", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.keys);
      const secret = await makeKey(visit, "Robot");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Rename Robot" }).click();
      await page.getByRole("dialog", { name: "Rename this key" }).getByLabel("Name").fill("Old robot");
      await visit.requireAccessible();
      await visit.picture("keys-rename");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Old robot" }).waitFor();
      assert.equal(await statusWith(scene(), secret), 200);
      await page.getByRole("button", { name: "Revoke Old robot" }).click();
      const dialog = page.getByRole("dialog", { name: "Revoke this key?" });
      const revoke = dialog.getByRole("button", { name: "Revoke key" });
      assert.equal(await revoke.getAttribute("aria-disabled"), "true");
      await page.keyboard.type("Old robot");
      await visit.picture("keys-revoke");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "hidden" });
      await until("the key stops", async () => (await statusWith(scene(), secret)) === 401);
      await page.getByLabel(/^Show \d+ revoked or expired/).check();
      await page.getByText("Revoked").first().waitFor();
      await visit.close();
    });

    test("a token is made with limits, shown once, makes a picture and nothing else, and ends when it is revoked", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.keys);
      await page.getByRole("button", { name: "New token" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Shop page");
      await page.getByRole("button", { name: "Create token" }).click();
      await page.getByText("Name at least one model, or * for all.").waitFor();
      await page.getByRole("textbox", { name: "Models" }).fill(model.replace("/v1/models/", ""));
      await visit.requireAccessible();
      await visit.picture("tokens-new");
      await page.getByRole("button", { name: "Create token" }).click();
      const token = (await page.getByRole("region", { name: "Your token" }).textContent()) ?? "";
      await visit.picture("tokens-ready");
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Shop page" }).waitFor();
      assert.ok(!(await page.content()).includes(token));
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const call = () =>
        fetch(`${scene().baseUrl}${model}`, { method: "POST", headers, body: JSON.stringify({ prompt: "a lamp" }) });
      assert.equal((await call()).status, 200);
      assert.equal(await statusWith(scene(), token), 403);
      await page.getByRole("button", { name: "Revoke Shop page" }).click();
      await page.getByRole("heading", { name: "Shop page" }).waitFor({ state: "detached" });
      await until("the token stops", async () => (await call()).status === 401);
      await visit.close();
    });

    test("usage totals come from the server, over everything that matches the filters", async () => {
      const { server } = scene();
      for (const prompt of ["a red fox", "a blue fox"])
        assert.equal(
          (await server.call({ method: "POST", path: model, body: { prompt, width: 256, height: 256 } })).status,
          200,
        );
      await until("both are counted", async () => (await totals(scene())).calls >= 2);
      const visit = await scene().visit();
      await visit.open(`${pages.usage}?by=subject&range=24h`);
      await visit.picture("usage-grouped");
      const shown = (name: string) => visit.page.locator(`[data-total="${name}"]`).textContent();
      const { calls, failures, credits } = await totals(scene());
      assert.deepEqual([Number(await shown("calls")), Number(await shown("failures"))], [calls, failures]);
      assert.ok(Math.abs(Number(await shown("credits")) - Number(credits)) <= 0.005);
      await visit.page
        .getByRole("button", { name: model.replace("/v1/models/", ""), exact: true })
        .last()
        .click();
      await visit.page.waitForURL(/subject=model/);
      await visit.page.getByRole("button", { name: "Remove filter: Model or operation" }).waitFor();
      await visit.close();
    });

    test("a delivery that fails twice shows each attempt; redelivering adds one with the same id and a new signature", async () => {
      const { server, sink } = scene();
      const secret = textOf(
        (await server.call({ method: "POST", path: "/account/webhooks/secrets" })).json(),
        "secret",
      );
      sink.answer("/hook", 500, 503);
      const headers = { "x-service-webhook-url": `${sink.url}/hook` };
      const queued = await server.call({
        method: "POST",
        path: `${model}/requests`,
        headers,
        body: { prompt: "a hook" },
      });
      assert.equal(queued.status, 202, queued.text);
      await until("it was tried twice", async () => sink.at("/hook").length === 2);
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(`${pages.webhooks}?type=model_request.completed`);
      await page.getByText("Retrying").first().waitFor();
      await visit.picture("webhooks-retrying");
      await page.getByRole("link", { name: "model_request.completed" }).first().click();
      const attempts = page.getByRole("list", { name: "Attempts" }).getByRole("listitem");
      await attempts.nth(1).waitFor();
      for (const count of [3, 4]) {
        await page.getByRole("button", { name: "Redeliver", exact: true }).click();
        await attempts.nth(count - 1).waitFor();
        assert.equal(await attempts.count(), count);
      }
      await page.getByText("Delivered").first().waitFor();
      await visit.picture("webhooks-delivery");
      await visit.requireAccessible();
      const received = sink.at("/hook");
      assert.equal(received.length, 4);
      assert.equal(new Set(received.map((each) => each.headers["webhook-id"])).size, 1);
      for (const { body, headers: sent } of received) new Webhook(secret).verify(body, headersOf(sent));
      await visit.close();
    });

    test("a test event is sent from the page; a refused address is reported at its field", async () => {
      const { sink } = scene();
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.webhooks);
      await page.getByRole("button", { name: "Send a test" }).first().click();
      await page.getByRole("textbox", { name: "Address" }).fill("http://10.0.0.1/hook");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Address" }).and(page.locator("[aria-invalid=true]")).waitFor();
      await page.getByRole("textbox", { name: "Address" }).fill(`${sink.url}/test`);
      await page.keyboard.press("Enter");
      await page.waitForURL(/delivery=/);
      await page.getByText("Delivered").first().waitFor();
      await visit.close();
    });

    test("a new member's link is shown once; a member sees the page, and why its actions are disabled", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.members);
      await page.getByRole("button", { name: "Add member" }).click();
      await page.keyboard.type("Grace <i>");
      // As long as it takes to reach a colleague.
      await page.getByLabel("The sign-in link works for").selectOption({ label: "7 days" });
      const added = page.waitForResponse(
        (answer) => answer.request().method() === "POST" && answer.url().endsWith("/members"),
      );
      await page.getByRole("textbox", { name: "Name or person ID" }).press("Enter");
      const ends = Date.parse(textOf(await (await added).json(), "sign_in", "expires_at"));
      assert.ok(ends - Date.now() > 6 * 86_400_000, "the link's life is the chosen one");
      const link = (await page.getByRole("region", { name: "Sign-in link" }).textContent()) ?? "";
      await page.getByRole("button", { name: "Copy link" }).and(page.locator(":focus")).waitFor();
      await visit.picture("members-link");
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Grace <i>" }).waitFor();
      assert.ok(!(await page.content()).includes(link));
      await visit.close();
      const hers = await scene().visit("light", { signedIn: false });
      await signInAt(hers, link);
      await hers.open(pages.members);
      const add = hers.page.getByRole("button", { name: "Add member" });
      assert.equal(await add.getAttribute("aria-disabled"), "true");
      assert.match((await add.getAttribute("title")) ?? "", /Only owners/);
      await hers.requireAccessible();
      await hers.open(pages.keys);
      const revoke = hers.page.getByRole("button", { name: "Revoke Bootstrap key" });
      assert.match((await revoke.getAttribute("title")) ?? "", /Owners revoke any key/);
      await makesWorkspace(hers);
      await hers.close();
    });

    for (const look of looksNow)
      test(`${look}: the account's pages are accessible and nothing scrolls sideways`, async () => {
        const visit = await scene().visit(look);
        for (const [name, path] of Object.entries(pages)) {
          await visit.open(path);
          await visit.picture(name);
          await visit.requireAccessible();
          assert.equal(await overflowOf(visit), 0, `${name} scrolls sideways`);
        }
        await visit.close();
      });
  });
}

// A new workspace becomes the current one, and the bar leads back.
async function makesWorkspace(visit: Visit): Promise<void> {
  const { page } = visit;
  await visit.open(pages.members);
  await page.getByRole("button", { name: "New workspace" }).click();
  await page.keyboard.type("Second studio");
  await page.keyboard.press("Enter");
  await page.getByText("You are now in Second studio.").waitFor();
  await page.getByRole("heading", { name: "1 member" }).waitFor();
  await page.getByRole("combobox", { name: "Workspace" }).selectOption({ label: "Default workspace" });
  await page.getByRole("heading", { name: /^\d+ members$/ }).waitFor();
}

// The page behind the link asks for confirmation before it uses the link up.
async function signInAt({ page }: Visit, link: string): Promise<void> {
  await page.goto(link);
  const isIn = page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  const button = page.getByRole("button", { name: /sign in/i });
  await Promise.race([button.click().catch(() => undefined), isIn]);
  await isIn;
}

const model = "/v1/models/sandbox/image-1-queued";

interface Totals {
  readonly calls: number;
  readonly failures: number;
  readonly credits: string;
}

async function totals({ server }: Scene): Promise<Totals> {
  const { total } = (await server.call({ path: "/account/usage/daily" })).json() as { total: Totals };
  return total;
}

function headersOf(sent: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  return Object.fromEntries(names.map((name) => [name, String(sent[name])]));
}

async function makeKey({ page }: Visit, name: string): Promise<string> {
  await page.getByRole("button", { name: "New key" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  const secret = (await page.getByRole("region", { name: "Your key" }).textContent()) ?? "";
  assert.match(secret, /^service-\w{8}_\w{38}$/);
  return secret;
}

async function statusWith({ baseUrl }: Scene, key: string): Promise<number> {
  return (await fetch(`${baseUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
}

// Everything the server sends from now on, and the addresses requested.
function laterBodies({ page }: Visit): () => Promise<string[]> {
  const coming: Promise<string>[] = [];
  page.on("response", (response) => {
    coming.push(
      response.text().then(
        (text) => `${response.url()} ${text}`,
        () => response.url(),
      ),
    );
  });
  return () => Promise.all(coming);
}

const overflowOf = ({ page }: Visit) =>
  page.evaluate<number>("Math.max(0, document.documentElement.scrollWidth - innerWidth)");
