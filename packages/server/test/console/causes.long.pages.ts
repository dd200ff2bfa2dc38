// What goes wrong, by its real cause, in a small separate workspace: no credits, a cap that is reached, a role that does
// not allow it, an id that is taken, a field that the server refuses, a rate that is used up, a session that ended,
// things that are gone behind an open tab. Each is reported where the person is, with a way on, and the page works again
// once the cause is over.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { shellFolder } from "./in-shell.ts";
import type { Scene, Visit } from "./scene.ts";
import { chooseWorkspace, openSmallWorkspace, type SmallWorkspace } from "./small-workspace.ts";

const image = "/console/models/sandbox/image-1";
// This model costs something.
const paid = "/console/models/sandbox/image-1-queued";
const model = "/v1/models/sandbox/image-1-queued";

export function causeLongPages(scene: () => Scene): void {
  describe("errors, by cause", () => {
    let small: SmallWorkspace;
    before(async () => {
      small = await openSmallWorkspace(scene());
    });

    test("402: without credits a run and a graph say so, link to the credits, and run after a top-up", async () => {
      const visit = await small.visit();
      const { page } = visit;
      await visit.open(paid);
      await page.getByRole("textbox", { name: "Prompt" }).fill("without a credit");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const failed = page.locator('section[data-phase="failed"]').getByRole("alert");
      await failed.getByRole("heading", { name: "Not enough credits" }).waitFor();
      await visit.requireAccessible();
      await visit.picture("cause-402");
      await failed.getByRole("link", { name: "View credits" }).click();
      await page.waitForURL("**/console/usage");
      await page.goBack();
      const graph = await openGraph(visit);
      await graph.getByRole("heading", { name: "Not enough credits. Nothing ran." }).waitFor();
      await graph.getByRole("link", { name: "View credits" }).waitFor();
      await visit.picture("cause-402-graph");
      await small.topUp("20");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
      await page.locator("[data-output-picture]").waitFor();
      await visit.open(paid);
      assert.equal(await page.getByRole("textbox", { name: "Prompt" }).inputValue(), "without a credit");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator('section[data-phase="done"]').waitFor();
      await visit.close();
    });

    test("402: a key at its cap shows in its request, its errors and its row; a higher cap lets it go on", async () => {
      const made = await small.call("POST", "/account/keys", { name: "Capped" });
      const [id, secret] = [textOf(made, "id"), textOf(made, "secret")];
      await small.call("PUT", `/account/keys/${id}/caps`, { daily_credits_max: "0.01", monthly_credits_max: null });
      const run = (prompt: string) =>
        scene().server.call({
          method: "POST",
          path: model,
          headers: { authorization: `Bearer ${secret}` },
          body: { prompt, width: 256, height: 256 },
        });
      let refused = await run("capped");
      await until("the cap holds", async () => {
        if (refused.status === 402) return true;
        refused = await run("capped");
        return false;
      });
      const requestId = String(refused.headers["x-service-request-id"]);
      const visit = await small.visit();
      const { page } = visit;
      await until("it is written down", async () => (await small.status(`/account/requests/${requestId}`)) === 200);
      await visit.open(`/console/requests/${requestId}`);
      await page.getByText("402", { exact: true }).first().waitFor();
      await page.getByText("Capped", { exact: true }).first().waitFor();
      await visit.picture("cause-402-request");
      await visit.open("/console/errors");
      await page
        .getByText(/credits/i)
        .first()
        .waitFor();
      await visit.picture("cause-402-errors");
      await visit.open("/profile/api-keys");
      const row = page.locator(`[data-key="${id}"]`);
      await row.getByText("Credits today").waitFor();
      await visit.requireAccessible();
      await visit.picture("cause-402-key");
      await row.getByRole("button", { name: "Caps" }).click();
      await page.getByLabel("Credits a day").fill("5");
      await page.keyboard.press("Enter");
      await page.getByText("Caps saved.").waitFor();
      await until("the new cap holds", async () => (await run("capped no more")).status === 200);
      await visit.close();
    });

    test("403: a member sees what they may not do, and why; a role lost behind an open form shows in the form", async () => {
      const visit = await small.visit();
      const { page } = visit;
      await visit.open("/console/members");
      await page.getByRole("button", { name: "Add member" }).click();
      await page.getByLabel("Name or person ID").fill("Too late");
      await small.setRole("member");
      try {
        await page.keyboard.press("Enter");
        const alert = page.getByRole("dialog").getByRole("alert");
        await alert.getByRole("heading", { name: "You don't have permission" }).waitFor();
        await alert.getByText("Only an owner of the workspace may do this.").waitFor();
        await visit.requireAccessible();
        await visit.picture("cause-403-dialog");
        await page.keyboard.press("Escape");
        await visit.open("/console/members");
        await requireWhy(visit, "Add member", "Only owners of the workspace can do this.");
        await visit.picture("cause-403-members");
        await visit.open("/console/credentials");
        await requireWhy(visit, "Add credential", /owner/i);
        await visit.open("/console/webhooks?tab=secrets");
        await requireWhy(visit, /^(Rotate|Create a secret)$/, /owner/i);
        // Pages for operators only are not offered, and say so if a person knows the address.
        await visit.open("/console/workspaces");
        await page
          .getByText(/operator/i)
          .first()
          .waitFor();
        await visit.requireAccessible();
        await visit.picture("cause-403-operators");
      } finally {
        await small.setRole("owner");
      }
      await visit.open("/console/members");
      await page.getByRole("button", { name: "Add member" }).and(page.locator(":not([aria-disabled=true])")).waitFor();
      await visit.close();
    });

    test("403: a model that the workspace may not run says who can allow it", async () => {
      const visit = await small.visit();
      const { page } = visit;
      await visit.open(image);
      await page.getByRole("textbox", { name: "Prompt" }).fill("not allowed");
      await small.setModels(["sandbox/text-1"]);
      try {
        const failed = page.locator('section[data-phase="failed"]').getByRole("alert");
        // The rule takes effect within five seconds.
        await until("it holds", async () => {
          await page.getByRole("button", { name: "Run", exact: true }).click();
          await page.locator('section[data-phase="failed"], section[data-phase="done"]').waitFor();
          return failed.isVisible();
        });
        await visit.picture("cause-403-model");
        await failed.getByText(/operator/).waitFor();
        await visit.requireAccessible();
      } finally {
        await small.setModels(null);
      }
      await visit.close();
    });

    test("409 and 422: a taken id and a field that the server refuses are shown at their fields", async () => {
      const visit = await small.visit();
      const { page } = visit;
      await scene().server.call({ method: "POST", path: "/publishers", body: { id: "taken-already", name: "Taken" } });
      await visit.open("/console/nodes?tab=yours");
      const field = page.getByRole("textbox", { name: "ID", exact: true });
      if (!(await field.isVisible()))
        await page
          .getByRole("button", { name: /publisher/i })
          .first()
          .click();
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Mine");
      for (const [id, words] of [
        ["taken-already", /taken|exists|another/i],
        ["Not An Id!", /letters|lower/i],
      ] as const) {
        await field.fill(id);
        await field.and(page.locator("[aria-invalid=true]")).waitFor();
        const described = (await field.getAttribute("aria-describedby")) ?? "";
        const texts = await Promise.all(
          described.split(" ").map((each) => page.locator(`[id="${each}"]`).textContent()),
        );
        assert.match(texts.join(" "), words);
      }
      await visit.requireAccessible();
      await visit.picture("cause-422");
      // Taken between the check and the click: the click itself is refused, and says so.
      const raced = `raced-${Date.now()}`;
      await field.fill(raced);
      await page.getByText("Available. You can't change it later.").waitFor();
      await scene().server.call({ method: "POST", path: "/publishers", body: { id: raced, name: "First" } });
      await page.getByRole("button", { name: "Create publisher" }).click();
      await page.getByRole("alert").getByRole("heading", { name: "This is not possible right now" }).waitFor();
      await visit.picture("cause-409");
      await field.fill(`${raced}-2`);
      await page.getByText("Available. You can't change it later.").waitFor();
      await page.getByRole("button", { name: "Create publisher" }).click();
      await page.getByRole("heading", { name: "Mine" }).first().waitFor();
      await visit.close();
    });

    test("429: an exhausted rate shows the seconds to wait, and passes", async () => {
      const visit = await small.visit();
      const { page } = visit;
      await small.setLimit("workflow_and_registry_requests_per_minute", 1);
      await small.setLimit("router_and_partner_requests_per_minute", 1);
      const alert = page.getByRole("alert").filter({ hasText: "Too many requests" });
      try {
        // The rule takes effect within five seconds, and a minute's budget may be left from before.
        await until("the rate is used up", async () => {
          await visit.open("/console/classes");
          return (await alert.count()) > 0;
        });
        await alert
          .getByText(/Try again in \d+ s/)
          .first()
          .waitFor();
        await visit.requireAccessible();
        await visit.picture("cause-429");
        await until("the router's rate is used up", async () => (await small.status("/v1/models")) === 429);
        await visit.open("/console/models");
        await alert.first().waitFor();
        await visit.picture("cause-429-models");
      } finally {
        await small.setLimit("workflow_and_registry_requests_per_minute", null);
        await small.setLimit("router_and_partner_requests_per_minute", null);
      }
      await until("it passes", async () => {
        await alert.getByRole("button", { name: "Try again" }).first().click({ timeout: 1_000 });
        return (await alert.count()) === 0;
      });
      await visit.close();
    });

    test("something deleted behind an open tab is shown as gone where it is used, with a way back", async () => {
      const visit = await small.visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=upload");
      const [mimeType, buffer] = ["text/plain", Buffer.from(`gone ${Date.now()}`)];
      await page.getByLabel("Files to upload").setInputFiles({ name: "gone.txt", mimeType, buffer });
      await page
        .getByRole("link", { name: /^gone.txt/ })
        .first()
        .click();
      const viewer = page.getByRole("dialog");
      await viewer.getByRole("button", { name: "Star (S)" }).waitFor();
      const id = new URL(page.url()).searchParams.get("asset") ?? "";
      await small.call("DELETE", `/api/v2/assets/${id}`);
      await page.keyboard.press("s");
      await viewer.getByText(/^Couldn't save the star: /).waitFor();
      await visit.picture("cause-gone-star");
      await page.keyboard.press("d");
      await viewer.getByText(/^Couldn't download it: /).waitFor();
      await page.reload();
      await viewer.getByText("This file no longer exists").waitFor();
      await page.keyboard.press("Escape");
      await viewer.waitFor({ state: "detached" });
      await gonePage(visit);
      await visit.close();
    });

    test("an expired session leads to the sign-in page, and back to the same page with what was typed", async () => {
      const visit = await small.visit();
      const { page } = visit;
      await visit.open(image);
      const words = `kept through the way in ${Date.now()}`;
      await page.getByRole("textbox", { name: "Prompt" }).fill(words);
      await until("it is kept", () =>
        page.evaluate<boolean>(`JSON.stringify(localStorage).includes(${JSON.stringify(words)})`),
      );
      // Ended behind the page's back; signing out on the page itself would end the drafts too.
      await page.evaluate(
        `fetch("/profile/sign-out", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })`,
      );
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL("**/sign-in?return_to=*");
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      await visit.requireAccessible();
      await visit.picture("cause-session");
      const shell = shellFolder(scene());
      const link = await shell.run(`atelier keys link ${small.owner}`, "shell", { ATELIER_HOME: scene().server.home });
      shell.close();
      assert.equal(link.code, 0, link.err);
      await page.goto(new URL(/http\S+/.exec(link.out)?.[0] ?? "").pathname);
      await page.waitForURL(`**${image}`);
      // A new session begins in the person's first workspace; the draft is kept in the workspace where it was typed.
      assert.notEqual(await page.getByRole("textbox", { name: "Prompt" }).inputValue(), words);
      await chooseWorkspace(page, small.name);
      await visit.open(image);
      assert.equal(await page.getByRole("textbox", { name: "Prompt" }).inputValue(), words);
      small.keep(await visit.context.cookies());
      await visit.close();
    });

    test("a tab whose browser switched to another workspace sends nothing there until it is reloaded", async () => {
      const visit = await small.visit();
      const { page } = visit;
      await visit.open(image);
      await page.getByRole("textbox", { name: "Prompt" }).fill("for the small workspace alone");
      const other = await visit.context.newPage();
      await other.goto("/console/jobs");
      // Another suite may have given it another name.
      const first = textOf((await scene().server.call({ path: "/account" })).json(), "workspace", "name");
      await chooseWorkspace(other, first);
      // The token that the tab holds belongs to the small workspace and still works; the next one will not.
      await small.removeOwner();
      const failed = page.locator('section[data-phase="failed"]').getByRole("alert");
      // Every process knows within five seconds that a role ended.
      await until("it is refused", async () => {
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await page.locator('section[data-phase="failed"], section[data-phase="done"]').waitFor();
        return failed.isVisible();
      });
      assert.match((await failed.textContent()) ?? "", /You are in another workspace/);
      await visit.requireAccessible();
      await visit.picture("cause-workspace");
      await failed.getByRole("button", { name: "Reload page" }).click();
      const chosen = page.getByRole("combobox", { name: "Workspace" }).locator("option:checked");
      await until("it is there", async () => (await chosen.textContent()) === first);
      const shown = await page.getByRole("textbox", { name: "Prompt" }).inputValue();
      assert.notEqual(shown, "for the small workspace alone", "what was typed stays in its workspace");
      await visit.close();
    });
  });
}

// A thing with a separate page: its form is refused, and the page says so when it is loaded again.
async function gonePage(visit: Visit): Promise<void> {
  const { page } = visit;
  const publisher = `gone-${Date.now()}`;
  const nodes = `/publishers/${publisher}/nodes`;
  await visit.open("/console/nodes");
  await asPerson(visit, "POST", "/publishers", { id: publisher, name: "Gone" });
  await asPerson(visit, "POST", nodes, { id: `${publisher}-node`, name: "Going", description: "Soon gone." });
  await visit.open(`/console/nodes/${publisher}-node`);
  await page.getByRole("button", { name: "Edit" }).and(page.locator(":not([aria-disabled=true])")).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Too late");
  await asPerson(visit, "DELETE", `${nodes}/${publisher}-node`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByRole("alert").getByRole("heading", { name: "Not found" }).waitFor();
  await visit.picture("cause-gone-form");
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("alert").getByRole("heading", { name: "Not found" }).waitFor();
  await page.getByRole("alert").getByRole("link", { name: "All nodes" }).click();
  await page.waitForURL("**/console/nodes");
}

// What the person does in another tab.
async function asPerson({ page }: Visit, method: string, path: string, body?: unknown): Promise<void> {
  const status = await page.evaluate<number>(`(async () => {
    const { token } = await (await fetch("/account/tokens", { method: "POST" })).json();
    const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
    const given = ${JSON.stringify({ method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })};
    return (await fetch(${JSON.stringify(path)}, { ...given, headers })).status;
  })()`);
  assert.ok(status < 300, `${method} ${path}: ${status}`);
}

// A graph with a model that costs something, opened from its file and run.
async function openGraph({ page, open }: Visit) {
  await open("/console/workflows");
  const graph = {
    "1": {
      class_type: "AtelierModelImage",
      inputs: { model: "sandbox/image-1-queued", prompt: "paid", width: 64, height: 64, seed: 1, parameters: "{}" },
    },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "paid" } },
  };
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "paid.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(graph)),
    });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  return page.getByRole("alert");
}

// A button that cannot be pressed says why on hover, to screen readers, and when it is pressed all the same.
async function requireWhy({ page }: Visit, name: string | RegExp, why: string | RegExp): Promise<void> {
  const button = page.getByRole("button", { name }).first();
  await button.and(page.locator("[aria-disabled=true]")).waitFor();
  const title = `${await button.getAttribute("title")}`;
  if (typeof why === "string") assert.equal(title, why);
  else assert.match(title, why);
  await button.click({ force: true });
  await page.getByRole("status").getByText(title, { exact: true }).waitFor();
}
