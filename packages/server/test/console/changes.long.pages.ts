// Every dialog that changes something, to its end; the server is asked what it did.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import type { Scene, Visit } from "./scene.ts";

export function changePages(scene: () => Scene): void {
  describe("changes made in the account's dialogs", () => {
    test("a rotated key works, the old one works until its time, and the caps are kept", async () => {
      const { server } = scene();
      const visit = await scene().visit();
      const { page } = visit;
      const made = await server.call({ method: "POST", path: "/account/keys", body: { name: "Turning" } });
      const [id, old] = [textOf(made.json(), "id"), textOf(made.json(), "secret")];
      await visit.open("/profile/api-keys");
      await page.locator(`[data-key="${id}"]`).getByRole("button", { name: "Caps" }).click();
      await page.getByLabel("Credits a month").fill("12.5");
      await page.keyboard.press("Enter");
      await page.getByText("Caps saved.").waitFor();
      assert.equal(
        textOf((await server.call({ path: `/account/keys/${id}/caps` })).json(), "monthly_credits_max"),
        "12.5",
      );
      await page.getByRole("button", { name: "Rotate Turning" }).first().click();
      await page.getByLabel("The old key keeps working for").selectOption("3600");
      await visit.requireAccessible();
      await visit.picture("changes-rotate");
      await page.getByRole("button", { name: "Create new key" }).click();
      const secret = (await page.getByRole("region", { name: "Your key" }).textContent()) ?? "";
      assert.match(secret, /^service-/);
      const status = async (key: string) =>
        (await server.call({ path: "/v1/models", headers: { authorization: `Bearer ${key}` } })).status;
      assert.deepEqual([await status(secret), await status(old)], [200, 200]);
      await page.keyboard.press("Escape");
      await page.locator(`[data-key="${id}"]`).getByText("Expires").waitFor();
      const keys = (await server.call({ path: "/account/keys" })).json() as {
        data: { id: string; name: string; expires_at: string | null }[];
      };
      const ends = Date.parse(keys.data.find((key) => key.id === id)?.expires_at ?? "");
      assert.ok(Math.abs(ends - Date.now() - 3_600_000) < 60_000);
      const successor = keys.data.find((key) => key.name === "Turning" && key.id !== id);
      const caps = await server.call({ path: `/account/keys/${successor?.id}/caps` });
      assert.equal(textOf(caps.json(), "monthly_credits_max"), "12.5");
      await visit.close();
    });

    test("a member becomes an owner, a member again, and is removed with their keys", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/members");
      await page.getByRole("button", { name: "Add member" }).click();
      await page.keyboard.type("Rosa");
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Sign-in link" }).waitFor();
      await page.keyboard.press("Escape");
      const role = page.getByLabel("Role of Rosa");
      await role.selectOption("owner");
      await page.getByText("Rosa is now an owner.").waitFor();
      await role.selectOption("member");
      await page.getByText("Rosa is now a member.").waitFor();
      await page.getByRole("button", { name: "Remove Rosa" }).click();
      await visit.picture("changes-remove");
      await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
      await page.getByText("Rosa is no longer a member. Keys revoked: 0.").waitFor();
      await role.waitFor({ state: "detached" });
      await visit.close();
    });

    test("a workspace's own provider credential is stored, never shown, and removed", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      const value = "own-key-that-goes-nowhere-987654";
      await visit.open("/console/credentials");
      await page.getByRole("button", { name: "Add credential" }).click();
      const provider = page.getByRole("combobox", { name: "Provider" });
      const name = await provider.locator("option").nth(1).textContent();
      await provider.selectOption({ index: 1 });
      await page.getByLabel("Key").fill(value);
      await page.keyboard.press("Enter");
      await page.getByText(`The credential for ${name} is saved.`).waitFor();
      await page.getByRole("heading", { name: name ?? "", exact: true }).waitFor();
      assert.ok(!(await page.content()).includes(value));
      await visit.picture("changes-credential");
      await page.getByRole("button", { name: "Remove", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove credential", exact: true }).click();
      await page.getByText("No credentials of your own").waitFor();
      await visit.close();
    });

    test("all failed deliveries are sent again at once", async () => {
      const { sink, server } = scene();
      sink.answer("/bulk", 500, 500, 500);
      for (let at = 0; at < 3; at++) {
        const url = `${sink.url}/bulk`;
        const sent = await server.call({ method: "POST", path: "/account/webhooks/test", body: { url } });
        assert.ok(sent.status < 300, sent.text);
      }
      await until("all have failed", async () => sink.at("/bulk").length === 3);
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/webhooks");
      await page.getByRole("button", { name: "Redeliver failed…" }).click();
      await page.getByText("3 deliveries failed.").waitFor();
      await visit.picture("changes-redeliver");
      await page.getByRole("button", { name: "Redeliver 3" }).click();
      await page.getByText("3 redelivered.").waitFor();
      await until("all have come", async () => sink.at("/bulk").length === 6);
      assert.equal(new Set(sink.at("/bulk").map(({ headers }) => headers["webhook-id"])).size, 3);
      await visit.close();
    });
  });

  describe("changes made in the operator's dialogs", () => {
    test("a workspace is created, gets and loses credits, gets a limit and its models", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/workspaces");
      await page.getByRole("button", { name: "New workspace" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Opened");
      await page.keyboard.press("Enter");
      await page.waitForURL(/workspace=/);
      await move(visit, "Top up", "40");
      await page.locator('[data-credits="40"]').waitFor();
      await move(visit, "Withdraw", "15.5");
      await page.locator('[data-credits="24.5"]').waitFor();
      await page.getByRole("tab", { name: "Limits" }).click();
      const limit = page.locator("[data-limit]").first();
      const name = (await limit.getAttribute("data-limit")) ?? "";
      await page.getByRole("button", { name: `Change ${name}`, exact: true }).click();
      await page.getByRole("textbox", { name: "Value" }).fill("7");
      await visit.requireAccessible();
      await visit.picture("changes-limit");
      await page.keyboard.press("Enter");
      await limit.getByText("Changed").waitFor();
      await page.getByRole("button", { name: `Reset ${name}`, exact: true }).click();
      await limit.getByText("Changed").waitFor({ state: "detached" });
      await page.getByRole("tab", { name: "Models" }).click();
      await page.getByLabel("Use this server's default").uncheck();
      await page.getByRole("textbox", { name: "Models" }).fill("sandbox/*");
      await visit.picture("changes-models");
      await page.getByRole("button", { name: "Save models" }).click();
      await page.getByText("Models of Opened saved.").waitFor();
      await page.reload();
      assert.equal(await page.getByRole("textbox", { name: "Models" }).inputValue(), "sandbox/*");
      await visit.close();
    });

    test("a deployment is created, stopped and started, and its worker token is shown once and revoked", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/workers?tab=deployments");
      await page.getByRole("button", { name: "New deployment" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Render farm");
      await page.keyboard.press("Enter");
      await page.getByText("Render farm created. It is waiting for workers.").waitFor();
      await page.getByRole("button", { name: "Stop Render farm" }).click();
      await page.getByRole("button", { name: "Stop deployment" }).click();
      await page.getByRole("button", { name: "Start Render farm" }).click();
      await page.getByRole("button", { name: "Stop Render farm" }).waitFor();
      await visit.picture("changes-deployment");
      await visit.open("/console/workers?tab=tokens");
      await page.getByRole("button", { name: "New worker token" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("rack-1");
      await page.getByLabel("Takes jobs from").selectOption({ label: "Deployment Render farm" });
      await page.getByRole("button", { name: "Create token" }).click();
      const secret = (await page.getByRole("region", { name: "Token", exact: true }).textContent()) ?? "";
      assert.match(secret, /^worker-/);
      await page.getByRole("button", { name: "Copy" }).and(page.locator(":focus")).waitFor();
      await visit.requireAccessible();
      await visit.picture("changes-token");
      await page.getByRole("button", { name: "I've copied it" }).click();
      assert.ok(!(await page.content()).includes(secret));
      await page.getByRole("button", { name: "Revoke rack-1" }).click();
      await page.getByRole("button", { name: "Revoke token" }).click();
      await page.locator("[data-token]").getByText("Revoked").first().waitFor();
      await visit.close();
    });
  });
}

async function move({ page }: Visit, verb: string, amount: string): Promise<void> {
  await page.getByRole("button", { name: verb, exact: true }).click();
  await page.getByRole("textbox", { name: "Credits" }).fill(amount);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `${verb} ${amount} credits` }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}
