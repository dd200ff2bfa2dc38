// A viewer walks through all pages: no button is enabled whose operation the role may not call.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allOperations, includesRole, leastRole } from "@atelier/contract";
import { textOf } from "../support/app-client.ts";
import { addressesOf, makeThings } from "./every-address.ts";
import type { Scene, Visit } from "./scene.ts";

const leastOf = new Map(allOperations.map((each) => [`${each.method} ${each.path}`, leastRole(each)]));

// Leave the session, or show nothing to who is signed in.
const left = new Set(["/sign-in", "/sign-in/$token", "/w/$provider/$name"]);

export function viewerPages(scene: () => Scene): void {
  describe("a viewer", () => {
    test("finds no enabled button, on any page, for what viewers may not do, and is refused nothing by a page", async () => {
      const made = await makeThings(scene());
      const visit = await viewerIn(scene(), made.workspace);
      const refused: string[] = [];
      visit.page.on("response", (answer) => {
        if (answer.status() === 403)
          refused.push(`${answer.request().method()} ${answer.url()} on ${visit.page.url()}`);
      });
      const guarded = new Set<string>();
      for (const [route, addresses] of Object.entries(addressesOf)) {
        if (left.has(route)) continue;
        for (const address of addresses(made)) {
          await visit.open(address);
          for (const { does, isOn, text } of await buttonsOf(visit)) {
            const [method = "", path = ""] = does.split(" ");
            const least = leastOf.get(`${method} ${path}`);
            assert.ok(least !== undefined, `${does} is an operation`);
            const may = least === null || includesRole("viewer", least);
            if (!may) guarded.add(does);
            assert.ok(may || !isOn, `${address}: "${text}" leads to ${does}`);
          }
        }
      }
      assert.ok(guarded.size >= 20, `guarded buttons were seen: ${[...guarded].join(", ")}`);
      assert.deepEqual(refused, []);
      await visit.open("/console/members");
      await visit.picture("viewer-members");
      await visit.open(`/console/jobs/${made.job}`);
      await visit.picture("viewer-job");
      await visit.close();
    });
  });
}

async function viewerIn(scene: Scene, workspace: string): Promise<Visit> {
  const body = { name: "Vera", role: "viewer" };
  const path = `/account/workspaces/${workspace}/members`;
  const invited = await scene.server.call({ method: "POST", path, body });
  assert.equal(invited.status, 201, invited.text);
  const visit = await scene.visit("light", { signedIn: false });
  const { page } = visit;
  await page.goto(textOf(invited.json(), "sign_in", "url"));
  const isIn = page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  await Promise.race([
    page
      .getByRole("button", { name: "Sign in" })
      .click()
      .catch(() => undefined),
    isIn,
  ]);
  await isIn;
  return visit;
}

interface Seen {
  readonly does: string;
  readonly isOn: boolean;
  readonly text: string;
}

// Those of menus that are closed too.
function buttonsOf({ page }: Visit): Promise<Seen[]> {
  return page.evaluate<Seen[]>(`[...document.querySelectorAll("[data-does]")].map((it) => ({
    does: it.dataset.does,
    isOn: !it.disabled && it.getAttribute("aria-disabled") !== "true",
    text: it.textContent || it.getAttribute("aria-label") || "",
  }))`);
}
