// The operators' pages.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { aLock } from "../support/environment-example-calls.ts";
import { environmentOf, idOfEnvironment } from "../support/http-worker.ts";
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
      await page.locator("[data-check=backups][data-status=ok]").waitFor();
      await page
        .getByRole("region", { name: "Backups" })
        .getByText("Not scheduled. Set ATELIER_BACKUP_EVERY")
        .waitFor();
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

    test("a worker that differs from the pinned lock, and a start that fails, are shown with what is wrong", async () => {
      await driftedDeployment(scene());
      for (const look of looksNow) {
        const visit = await scene().visit(look);
        await visit.open(pages.deployments);
        const row = visit.page.locator("[data-deployment]").filter({ hasText: "Drifted" });
        await row.getByText("pack studio: util.py changed").first().waitFor();
        await row.getByText("pinned to lock").waitFor();
        await row.getByText("2 wanted, 1 running, 1 starting").waitFor();
        await row.getByText("No module named torch").waitFor();
        await visit.requireAccessible();
        await visit.picture("deployment-drifted");
        await visit.close();
      }
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

    test("a person who is no operator is told so on every page of operators, with the way to become one", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/you");
      const setRole = await roleOf(visit);
      await setRole(null);
      try {
        for (const path of operatorPages()) {
          await visit.open(path);
          await page.getByRole("heading", { name: "This page is for operators" }).waitFor();
          await page.getByText("atelier operators add").waitFor();
          await visit.requireAccessible();
        }
        await visit.open(pages.system);
        const button = page.getByRole("button", { name: "Run checks" });
        assert.equal(await button.getAttribute("aria-disabled"), "true");
        assert.match((await button.getAttribute("title")) ?? "", /Only operators/);
        await visit.picture("system-not-operator");
      } finally {
        await setRole("operator");
      }
      await visit.close();
    });

    test("an auditor reads every page of operators, and each button that changes something says why it is off", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/you");
      const setRole = await roleOf(visit);
      await setRole("auditor");
      try {
        for (const path of [...operatorPages(), pages.sandbox, pages.deployments, pages.tokens]) {
          await visit.open(path);
          await page.locator("main [class*=skeleton]").first().waitFor({ state: "detached" });
          assert.equal(await page.getByText("This page is for operators").count(), 0, path);
          assert.deepEqual(await page.getByRole("alert").allTextContents(), [], path);
          const changing = await page.getByRole("main").locator("button[data-does]").all();
          for (const button of changing)
            assert.equal(await button.getAttribute("aria-disabled"), "true", `${path}: ${await button.textContent()}`);
          await visit.requireAccessible();
        }
        await visit.open(pages.sandbox);
        const release = page.getByRole("button", { name: "Hide sandbox/image-1", exact: true });
        assert.match((await release.getAttribute("title")) ?? "", /Only operators/);
        await visit.picture("providers-auditor");
      } finally {
        await setRole("operator");
      }
      await visit.close();
    });

    test("an operator limits how many calls a model takes, reads it beside the model, and takes it back", async () => {
      const { server } = scene();
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.sandbox);
      const row = page.locator('[data-model="sandbox/text-1"]');
      const limit = async (perMinute: string, atOnce: string) => {
        await row.getByRole("button", { name: "Limits of sandbox/text-1" }).click();
        const dialog = page.getByRole("dialog", { name: "Limits of sandbox/text-1" });
        await dialog.getByLabel("Calls a minute").fill(perMinute);
        await dialog.getByLabel("Calls at once").fill(atOnce);
        await visit.requireAccessible();
        await visit.picture("model-limits");
        await dialog.getByRole("button", { name: "Save limits" }).click();
        await dialog.waitFor({ state: "detached" });
      };
      await limit("1", "5");
      await row.getByText("at most 1 call a minute, at most 5 at once").waitFor();
      await visit.picture("model-limited");
      const call = () =>
        server.call({ method: "POST", path: "/v1/models/sandbox/text-1", body: { prompt: "limited" } });
      // The first one of the minute may have been another test's.
      const statuses = [(await call()).status, (await call()).status];
      assert.equal(statuses[1], 429, statuses.join());
      await limit("", "");
      await row.getByText("at most").waitFor({ state: "detached" });
      assert.equal((await call()).status, 200);
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

// The routes themselves say which pages there are, so a new one is in the list.
function operatorPages(): readonly string[] {
  const routes = new URL("../../../console/src/pages/operate/routes.ts", import.meta.url);
  return [...readFileSync(routes, "utf8").matchAll(/\bpath: "([^"]+)"/g)].map(([, path = ""]) => path);
}

// As an operator would: first creates a token for the way back.
async function roleOf({ page }: Visit): Promise<(role: "operator" | "auditor" | null) => Promise<void>> {
  const personId = await page.evaluate<string>(`(async () => {
    const { token } = await (await fetch("/account/tokens", { method: "POST" })).json();
    const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
    const { person } = await (await fetch("/account", { headers })).json();
    const body = JSON.stringify({ name: "the way back " + crypto.randomUUID() });
    const made = await fetch("/admin/tokens", { method: "POST", headers, body });
    window.wayBack = (await made.json()).secret;
    return person.id;
  })()`);
  const admin = await page.evaluate<string>("window.wayBack");
  const base = new URL(page.url()).origin;
  return async (role) => {
    const answer = await fetch(`${base}/admin/people/${personId}/role`, {
      method: "PUT",
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      body: JSON.stringify({ role }),
    });
    assert.equal(answer.status, 200, await answer.text());
  };
}

// A deployment with a pinned lock, a worker that differs from it, and a scaler whose starts fail.
async function driftedDeployment({ baseUrl, visit }: Scene): Promise<void> {
  const operator = await visit();
  await operator.open("/console/you");
  const token = await operator.page.evaluate<string>(
    '(async () => (await (await fetch("/account/tokens", { method: "POST" })).json()).token)()',
  );
  await operator.close();
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    assert.equal(answer.status, 201, text);
    return JSON.parse(text);
  };
  const { lock_id } = await post("/admin/environments", { name: "studio", lock: aLock() });
  const environment = { engine: "application", lock_id };
  const { id } = await post("/admin/deployments", { name: "Drifted", environment, workers_max: 2 });
  const { secret } = await post("/admin/worker-tokens", { name: "drifted", pool_ids: [id] });
  const put = (path: string, body: object) =>
    fetch(`${baseUrl}/api/workers/${path}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const described = environmentOf(["EmptyImage"]);
  const lock = { lock_id: "ab".repeat(32), against: lock_id, drift: ["pack studio: util.py changed"] };
  const known = { name: "rack-1", slots: 2, environment_id: idOfEnvironment(described), models_loaded: [], lock };
  const workerId = randomUUID();
  await put(`${workerId}/environment`, described);
  await put(workerId, known);
  const at = new Date().toISOString();
  const message = "The application's start command ended with code 1 before the worker was ready.";
  const failure = { at, message, lines: ["Traceback:", "No module named torch"], retry_at: at };
  const asked = {
    workers_min: 2,
    workers_max: 2,
    jobs_per_worker: null,
    idle_seconds: 60,
    known_wanted: null,
    wait_ms: 0,
  };
  const scaler = { name: "rack-1", running: 1, starting: 1, draining: 0, failure, ...asked };
  assert.equal((await put(`scalers/${randomUUID()}`, scaler)).status, 200);
}
