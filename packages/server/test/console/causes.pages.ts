// What goes wrong, by its real cause: a session that ended, a role, an empty balance, a deleted thing, a rate limit, a lost
// connection. Each is told where the person is, and the page goes on when the cause is over.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Fault } from "../../src/foundation/fault.ts";
import { textOf } from "../support/app-client.ts";
import { adminOf } from "./every-page.ts";
import { openFaultyFront, type Refusal } from "./faulty-front.ts";
import { pictureOf } from "./gallery.pages.ts";
import { noisyGraph, submit } from "./jobs.pages.ts";
import type { Scene } from "./scene.ts";

// The short ones, part of `npm test`.
export function causePages(scene: () => Scene): void {
  describe("what goes wrong", () => {
    test("a list that cannot be read says so with the request's id, and is there when it can; a lost line as well", async () => {
      const front = await openFaultyFront(scene().baseUrl);
      const visit = await scene().visit("light", { through: front.baseUrl });
      const { page } = visit;
      const secrets = (refusal: Refusal) =>
        front.refuse((_, path) => (path === "/account/webhooks/secrets" ? refusal : null));
      secrets(new Fault("internal_error", "Something went wrong on our side."));
      await page.goto("/console/webhooks?tab=secrets");
      const alert = page.getByRole("alert");
      await alert.getByText("Something went wrong on our side.").waitFor();
      assert.ok(front.requestIds.has((await alert.locator("code").getAttribute("title")) ?? ""));
      secrets("lost");
      await alert.getByRole("button", { name: "Try again" }).click();
      await alert.getByText("The server cannot be reached").waitFor();
      front.refuse(null);
      await alert.getByRole("button", { name: "Try again" }).click();
      await alert.waitFor({ state: "detached" });
      await visit.close();
      await front.close();
    });

    test("what was deleted behind an open tab is told as gone, with a way back", async () => {
      const { server } = scene();
      const made = await server.call({
        method: "POST",
        path: "/account/keys",
        body: { name: "deleted behind the tab" },
      });
      const id = textOf(made.json(), "id");
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/profile/api-keys");
      const row = page.locator(`[data-key="${id}"]`);
      await row.getByRole("button", { name: /^Rotate/ }).click();
      await server.call({ method: "DELETE", path: `/account/keys/${id}` });
      await page.getByRole("button", { name: "Make the new key" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("This key has ended. Make a new one.").waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await visit.close();
    });
  });
}

export function longCausePages(scene: () => Scene): void {
  describe("what goes wrong, by its cause", () => {
    test("an empty balance is told beside the button, with where credits are seen, and ends with a top-up", async () => {
      const { server } = scene();
      const admin = await adminOf(scene());
      const workspace = textOf((await server.call({ path: "/account" })).json(), "workspace", "id");
      const credits = `/admin/workspaces/${workspace}/credits`;
      const available = textOf((await server.call({ path: credits, headers: admin })).json(), "available");
      const move = (path: string) =>
        server.call({
          method: "POST",
          path,
          headers: { ...admin, "idempotency-key": crypto.randomUUID() },
          body: { amount: available },
        });
      assert.ok((await move(`${credits}/withdrawals`)).status < 300);
      const visit = await scene().visit();
      const { page } = visit;
      try {
        await visit.open("/console/models/sandbox/image-1");
        await page.getByRole("textbox", { name: "Prompt" }).fill("without a credit");
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await page
          .locator('section[data-phase="failed"]')
          .getByText(/credits/i)
          .first()
          .waitFor();
        await visit.picture("cause-402");
        await visit.requireAccessible();
      } finally {
        assert.ok((await move(credits)).status < 300);
      }
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator('section[data-phase="done"]').waitFor();
      await visit.close();
    });

    test("a rate limit is told with the seconds to wait", async () => {
      const { server } = scene();
      const admin = await adminOf(scene());
      const workspace = textOf((await server.call({ path: "/account" })).json(), "workspace", "id");
      const path = `/admin/workspaces/${workspace}/limits/workflow_and_registry_requests_per_minute`;
      const visit = await scene().visit();
      const { page } = visit;
      await server.call({ method: "PUT", path, headers: admin, body: { value: 1, reason: "a test" } });
      try {
        // The rule is seen within five seconds, and a minute's budget may be left of before.
        for (let at = 0; at < 40; at++) {
          await visit.open("/console/classes");
          if ((await page.getByText("Too much at once").count()) > 0) break;
        }
        const alert = page.getByRole("alert").filter({ hasText: "Too much at once" });
        await alert.getByText(/Try again in \d+ s\./).waitFor();
        await visit.picture("cause-429");
      } finally {
        await server.call({ method: "DELETE", path, headers: admin });
      }
      await visit.close();
    });

    test("a lost connection turns a live job to polling, loses nothing, and is live again", async () => {
      const { server } = scene();
      await server.call({ method: "PUT", path: "/account/queue", body: { paused: true } });
      const { id } = await submit(scene(), noisyGraph(91));
      const front = await openFaultyFront(scene().baseUrl);
      const visit = await scene().visit("light", { through: front.baseUrl });
      const { page } = visit;
      await page.goto(`/console/jobs/${id}`);
      await page.getByText("Live", { exact: true }).first().waitFor();
      front.refuse((_, path) => (path.endsWith("/events") ? "lost" : null));
      front.cut();
      await page
        .getByText(/^Polling/)
        .first()
        .waitFor();
      await visit.picture("cause-polling");
      front.refuse(() => "lost");
      await page.getByRole("alert").getByText("The job could not be read just now").waitFor();
      await visit.picture("cause-lost-job");
      await server.call({ method: "PUT", path: "/account/queue", body: { paused: false } });
      front.refuse(null);
      await page.locator("h1 + div").locator('[data-state="succeeded"]').waitFor();
      await page.locator("[data-output-picture]").waitFor();
      assert.equal(await page.getByRole("alert").count(), 0);
      await visit.close();
      await front.close();
    });

    test("a picture that is deleted while it is looked at says so, and the gallery goes on", async () => {
      const { server } = scene();
      const id = await pictureOf(scene(), 0x5a5a11, "gone");
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery");
      await page.locator(`[data-tile="${id}"]`).waitFor();
      const job = textOf((await server.call({ path: `/api/v2/assets/${id}` })).json(), "job_id");
      await server.call({ method: "DELETE", path: `/api/v2/jobs/${job}` });
      await server.call({ method: "DELETE", path: `/api/v2/assets/${id}` });
      await page.locator(`[data-tile="${id}"]`).click();
      await page.getByRole("dialog").waitFor();
      await visit.picture("cause-deleted");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await visit.close();
    });
  });
}
