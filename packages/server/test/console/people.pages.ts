// The pages about people and what is kept: service accounts, how long things are kept, and one's own data.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { memberOf, textOf } from "../support/app-client.ts";
import { looksNow, type Scene } from "./scene.ts";

export function peoplePages(scene: () => Scene): void {
  describe("service accounts, what is kept, and one's own data", () => {
    test("a service account gets a key that works and is shown once; removing it revokes the key", async () => {
      const { server } = scene();
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/members?tab=services");
      await visit.picture("services-empty");
      await page.getByRole("button", { name: "New service account" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Nightly renders");
      await visit.requireAccessible();
      await page.keyboard.press("Enter");
      await page.getByText("Nightly renders is ready.").waitFor();
      await page.getByRole("button", { name: "New key for Nightly renders" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("build server");
      await page.keyboard.press("Enter");
      const secret = (await page.getByRole("region", { name: "Key", exact: true }).textContent()) ?? "";
      assert.match(secret, /^service-/);
      await visit.requireAccessible();
      await visit.picture("services-key");
      const account = async () => server.call({ path: "/account", headers: { authorization: `Bearer ${secret}` } });
      assert.equal(textOf((await account()).json(), "key", "service_account", "name"), "Nightly renders");
      await page.keyboard.press("Escape");
      await page.getByText("build server").waitFor();
      await visit.picture("services");
      await page.getByRole("button", { name: "Remove Nightly renders" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
      await page.getByText("Nightly renders is removed. Keys revoked: 1.").waitFor();
      assert.equal((await account()).status, 401);
      await visit.close();
    });

    test("what a shorter time would delete is counted before it is saved", async () => {
      const { server } = scene();
      const visit = await scene().visit();
      const { page } = visit;
      const workspace = textOf((await server.call({ path: "/account" })).json(), "workspace", "id");
      const setting = async () => (await server.call({ path: `/account/workspaces/${workspace}/retention` })).json();
      await visit.open("/console/members?tab=keeping");
      await page.getByLabel("Outputs").selectOption({ label: "Delete after 30 days" });
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Nothing in the workspace is that old now").waitFor();
      assert.equal(memberOf(await setting(), "outputs_days"), null, "nothing is saved before it is confirmed");
      await visit.requireAccessible();
      await visit.picture("keeping-asked");
      await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Saved. It applies from tomorrow").waitFor();
      assert.equal(memberOf(await setting(), "outputs_days"), 30);
      await page.getByText("The last change applies").waitFor();
      await visit.requireAccessible();
      await visit.close();
    });

    test("one's own data is downloaded, and the only owner of a workspace is told why they cannot be erased yet", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/you?tab=data");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download my data" }).click(),
      ]);
      const data: unknown = JSON.parse(readFileSync(await download.path(), "utf8"));
      const name = textOf(data, "profile", "0", "name");
      await page.getByRole("button", { name: "Erase me" }).click();
      const dialog = page.getByRole("dialog");
      const erase = dialog.getByRole("button", { name: "Erase me" });
      assert.equal(await erase.getAttribute("aria-disabled"), "true");
      await dialog.getByLabel(/^Type your name/).fill(name);
      await visit.requireAccessible();
      await visit.picture("you-erase");
      await erase.click();
      await dialog.getByRole("alert").getByText("The only owner of").waitFor();
      await visit.close();
    });

    for (const look of looksNow)
      test(`the pages in ${look}`, async () => {
        const visit = await scene().visit(look);
        for (const [name, path] of [
          ["people-services", "/console/members?tab=services"],
          ["people-keeping", "/console/members?tab=keeping"],
          ["people-data", "/console/you?tab=data"],
        ] as const) {
          await visit.open(path);
          await visit.requireAccessible();
          await visit.picture(name);
        }
        await visit.close();
      });
  });
}
