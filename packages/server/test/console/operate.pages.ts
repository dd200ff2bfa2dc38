// The operators' pages.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { looksNow, type Scene, type Visit } from "./scene.ts";

const pages = {
  system: "/console/system",
  background: "/console/system?tab=background",
  audit: "/console/system?tab=audit",
  providers: "/console/providers",
  sandbox: "/console/providers?provider=sandbox",
  workers: "/console/workers",
  deployments: "/console/workers?tab=deployments",
  tokens: "/console/workers?tab=tokens",
  workspaces: "/console/workspaces",
} as const;

export function operatePages(scene: () => Scene): void {
  describe("the operator's pages", () => {
    test("an operator sees the server's own checks, with what to do", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.system);
      await page.locator("[data-check=database][data-status=ok]").waitFor();
      const sandbox = page.locator("[data-check=providers][data-status=warning]").first();
      await sandbox.getByText("ATELIER_PROVIDER_").waitFor();
      await page.getByRole("tab", { name: "Audit" }).click();
      await page.waitForURL("**/console/system?tab=audit");
      await page
        .getByRole("button", { name: /^Details of/ })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("heading", { name: "After" }).waitFor();
      await visit.requireAccessible();
      await visit.close();
    });

    test("a provider's credential is entered, kept secret and removed, and the sandbox tests green", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      const value = "a-key-that-goes-nowhere-0123456789";
      await visit.open("/console/providers?provider=luma");
      await page.getByText("ATELIER_PROVIDER_LUMA_KEY").waitFor();
      await page.getByRole("button", { name: "Enter credential" }).click();
      await page.getByLabel("Credential", { exact: false }).last().fill(value);
      await page.getByRole("button", { name: "Save credential" }).click();
      await page.getByText("Entered here and stored encrypted.").waitFor();
      assert.ok(!(await page.content()).includes(value));
      await page.locator("[data-model='luma/photon-1']").waitFor();
      await page.getByRole("button", { name: "Remove credential" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove credential" }).click();
      await page.getByText("Not set. Enter it here").waitFor();
      await visit.open(pages.sandbox);
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.locator("[data-check-status=ok]").waitFor();
      await visit.picture("operate-sandbox-green");
      await visit.close();
    });

    test("a worker is drained and takes jobs again", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.workers);
      const worker = page.locator("[data-worker]").first();
      await worker.getByText(/slots? in use/).waitFor();
      await worker.getByRole("button", { name: "Drain" }).click();
      await worker.getByText("Draining").waitFor();
      await visit.picture("worker-draining");
      await worker.getByRole("button", { name: "Resume" }).click();
      await worker.getByRole("button", { name: "Drain" }).waitFor();
      await visit.close();
    });

    test("credits are confirmed before they are moved, and show in the journal", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.workspaces);
      await page
        .getByRole("button", { name: /^Open / })
        .first()
        .click();
      const before = Number(await page.locator("[data-credits]").getAttribute("data-credits"));
      await page.getByRole("button", { name: "Top up" }).click();
      await page.getByRole("textbox", { name: "Credits" }).fill("12.5");
      await page.keyboard.press("Enter");
      await visit.requireAccessible();
      await visit.picture("operate-top-up");
      await page.getByRole("button", { name: "Top up 12.5 credits" }).click();
      await page.locator(`[data-credits="${before + 12.5}"]`).waitFor();
      await page.getByRole("cell", { name: "12.50", exact: true }).first().waitFor();
      await visit.close();
    });

    test("a person who is not an operator sees the page, its actions disabled, and why", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/you");
      const restore = await takeOperatorAway(visit);
      try {
        await visit.open(pages.system);
        await page.getByRole("heading", { name: "This page is for operators" }).waitFor();
        const button = page.getByRole("button", { name: "Run checks" });
        assert.equal(await button.getAttribute("aria-disabled"), "true");
        assert.match((await button.getAttribute("title")) ?? "", /Only operators/);
        await page.getByText("atelier operators add").waitFor();
        await visit.requireAccessible();
        await visit.picture("system-not-operator");
      } finally {
        await restore();
      }
      await visit.close();
    });

    for (const look of looksNow)
      test(`${look}: the operator's pages are accessible and nothing scrolls sideways`, async () => {
        const visit = await scene().visit(look);
        // Every part in one look; only the top of each page in the others.
        const shown = Object.entries(pages).filter(([, path]) => look === "light" || !path.includes("?"));
        for (const [name, path] of shown) {
          await visit.open(path);
          await visit.picture(`operate-${name}`);
          await visit.requireAccessible();
          const over = await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(over) <= 0, `${name} scrolls sideways`);
        }
        await visit.close();
      });
  });
}

// As an operator would: first creates a token for the way back.
async function takeOperatorAway({ page }: Visit): Promise<() => Promise<void>> {
  const personId = await page.evaluate<string>(`(async () => {
    const { token } = await (await fetch("/account/tokens", { method: "POST" })).json();
    const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
    const { person } = await (await fetch("/account", { headers })).json();
    const made = await fetch("/admin/tokens", { method: "POST", headers, body: '{"name":"the way back"}' });
    window.wayBack = (await made.json()).secret;
    return person.id;
  })()`);
  const admin = await page.evaluate<string>("window.wayBack");
  const base = new URL(page.url()).origin;
  const set = async (is_operator: boolean) => {
    const answer = await fetch(`${base}/admin/people/${personId}/operator`, {
      method: "PUT",
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      body: JSON.stringify({ is_operator }),
    });
    assert.equal(answer.status, 200);
  };
  await set(false);
  return () => set(true);
}
