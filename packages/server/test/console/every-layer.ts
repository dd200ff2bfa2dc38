// What pages open on top of themselves: dialogs, menus, the drawer and the search field.
import type { Made } from "./every-address.ts";
import type { Visit } from "./scene.ts";

type Opens = (visit: Visit, made: Made) => Promise<void>;

// A button on a page, and what it opens.
const behind =
  (path: string, button: string | RegExp, role: "dialog" | "menu" = "dialog"): Opens =>
  async ({ page, open }) => {
    await open(path);
    await page.getByRole("main").getByRole("button", { name: button }).first().click();
    await page.getByRole(role).filter({ visible: true }).first().waitFor();
  };

// A token that is created in a dialog, which then shows it.
const madeBehind =
  (path: string, button: string, field: string): Opens =>
  async (visit, made) => {
    await behind(path, button)(visit, made);
    const dialog = visit.page.getByRole("dialog").filter({ visible: true });
    await dialog.getByLabel(field).fill("seen by axe");
    await dialog.getByRole("button", { name: "Create token" }).click();
    await dialog.getByRole("button", { name: /^Copy/ }).first().waitFor();
  };

// As a person who has a publisher; the first one is created in place.
function asPublisher(opens: Opens): Opens {
  return async (visit, made) => {
    const { page } = visit;
    await visit.open("/console/nodes?tab=yours");
    const first = page.getByRole("button", { name: "Create publisher" });
    const another = page.getByRole("button", { name: "New publisher" });
    await first.or(another).first().waitFor();
    if (await first.isVisible()) {
      await page.getByRole("textbox", { name: "Name" }).fill("Seen by axe");
      await page.getByText("Available. You can't change it later.").waitFor();
      await first.click();
      await another.waitFor();
    }
    await opens(visit, made);
  };
}

export const layersOf: Readonly<Record<string, Opens>> = {
  "find anything": async ({ page, open }) => {
    await open("/");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or paste an ID" }).fill("image");
    await page.getByRole("dialog").getByRole("option").nth(1).waitFor();
  },
  "the drawer": async ({ page, open }) => {
    await open("/");
    const menu = page.getByRole("button", { name: "Menu" });
    // On a wide screen the navigation is always visible.
    if (!(await menu.isVisible())) return;
    await menu.click();
    await page.getByRole("dialog", { name: "Menu" }).waitFor();
  },
  "usage: export": behind("/console/usage", "Export", "menu"),
  "keys: caps": behind("/profile/api-keys", "Caps"),
  "keys: revoke": behind("/profile/api-keys", /^Revoke/),
  "credentials: add": behind("/console/credentials", "Add credential"),
  "members: add": behind("/console/members", "Add member"),
  "members: new workspace": behind("/console/members", "New workspace"),
  "webhooks: endpoint": behind("/console/webhooks?tab=endpoints", "Add an endpoint"),
  "webhooks: test": behind("/console/webhooks", "Send a test"),
  "webhooks: redeliver": behind("/console/webhooks", "Redeliver failed…"),
  "webhooks: secret": behind("/console/webhooks?tab=secrets", /^(Rotate|Create a secret)$/),
  "nodes: new publisher": asPublisher(behind("/console/nodes?tab=yours", "New publisher")),
  "nodes: new node": asPublisher(behind("/console/nodes?tab=yours", "New node")),
  "nodes: new token": asPublisher(behind("/console/nodes?tab=yours", "New token")),
  "nodes: a token, shown once": asPublisher(madeBehind("/console/nodes?tab=yours", "New token", "Name")),
  "workers: new token": behind("/console/workers?tab=tokens", "New worker token"),
  "workers: a token, shown once": madeBehind("/console/workers?tab=tokens", "New worker token", "Name"),
  "providers: credential": behind("/console/providers?provider=luma", "Enter credential"),
  "workers: deployment": behind("/console/workers?tab=deployments", "New deployment"),
  "workspaces: new": behind("/console/workspaces", "New workspace"),
  "workspaces: top up": (visit, made) =>
    behind(`/console/workspaces?workspace=${made.workspace}`, "Top up")(visit, made),
  "workspaces: limit": (visit, made) =>
    behind(`/console/workspaces?workspace=${made.workspace}&tab=limits`, /^Change/)(visit, made),
  "audit: details": behind("/console/system?tab=audit", /^Details of/),
  "viewer: share": async ({ page, open }, { pictures }) => {
    await open(`/console/gallery?asset=${pictures[0]}`);
    const share = page.getByRole("button", { name: "Share" });
    await page.getByRole("dialog").getByRole("img").first().waitFor();
    if (!(await share.isVisible())) await page.keyboard.press("i");
    await share.click();
    await page.getByText(/Valid until/).waitFor();
  },
  "gallery: two selected": async ({ page, open }, { pictures }) => {
    await open("/console/gallery");
    for (const id of pictures) await page.locator(`li:has([data-tile="${id}"]) button`).click();
    await page.getByText("2 selected").waitFor();
  },
};
