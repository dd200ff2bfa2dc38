// An operator: what the server finds out about itself, a provider's credential entered and tried, a key with a spending
// cap, and what a monitor requests.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { listOf, textOf } from "../support/app-client.ts";
import { aDefinition, aModel } from "../support/provider-example-calls.ts";
import { until } from "../support/server-process.ts";
import { choosePage } from "./choose-page.ts";
import { shellFolder } from "./in-shell.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

const credential = "the-key-that-the-provider-gave-42";

export async function operator(scene: Scene, look: LookName): Promise<void> {
  const provider = await strictProvider();
  const shell = shellFolder(scene);
  const asOperator = { ATELIER_HOME: scene.server.home };
  const name = `pictures-${look}`;
  try {
    const setting = `ATELIER_PROVIDER_${name.toUpperCase().replaceAll("-", "_")}_KEY`;
    const definition = aDefinition(name, {
      base_url: provider.url,
      credential: { kind: "bearer", setting },
      models: [aModel({ released: true })],
    });
    writeFileSync(join(shell.path, "pictures.json"), JSON.stringify(definition));
    const put = await shell.run("atelier models put pictures.json", "shell", asOperator);
    assert.equal(put.code, 0, put.err);
    const visit = await scene.visit(look);
    await looksAtChecks(visit, setting);
    await entersCredential(visit, name);
    await drainsWorker(visit);
    await makesKey(scene, visit, `render farm ${look}`);
    await followsLinks(visit);
    await visit.close();
    const doctor = await shell.run("atelier doctor", "shell", asOperator);
    assert.match(`${doctor.out}${doctor.err}`, /\b0 problems|No problems/i);
    assert.equal(doctor.code, 0, doctor.out);
  } finally {
    await shell.run(`atelier models remove ${name}`, "shell", asOperator);
    shell.close();
    provider.close();
  }
}

async function looksAtChecks(visit: Visit, setting: string): Promise<void> {
  const { page } = visit;
  await visit.open("/");
  await choosePage(visit, "System");
  for (const check of ["database", "blobs"]) await page.locator(`[data-check=${check}][data-status=ok]`).waitFor();
  // The page names what is missing: the setting, and the command for a worker. A definition that was just written may not
  // have reached the server yet, so look again.
  const named = page.locator("[data-check=providers]").getByText(setting).first();
  await until("the setting is named", async () => {
    if (await named.isVisible()) return true;
    await page.getByRole("button", { name: "Run checks" }).click();
    await page.getByRole("button", { name: "Run checks" }).and(page.locator(":enabled")).waitFor();
    return named.isVisible();
  });
  await page.locator("[data-check=workers]").first().waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-operator-checks");
}

async function entersCredential(visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  await choosePage(visit, "Providers");
  await page.locator(`[data-provider="${name}"]`).getByRole("button").click();
  await page.getByRole("heading", { level: 2, name }).waitFor();
  const enter = async (value: string) => {
    await page.getByRole("button", { name: /^(Enter|Replace) credential$/ }).click();
    await page.getByRole("dialog").getByLabel("Credential").fill(value);
    await page.getByRole("button", { name: "Save credential" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByText("Entered here and stored encrypted.").waitFor();
    await page.getByRole("button", { name: "Test connection" }).click();
  };
  await enter("not-what-the-provider-gave");
  await page.locator("[data-check-status=refused]").waitFor();
  await enter(credential);
  await page.locator("[data-check-status=ok]").waitFor();
  assert.ok(!(await page.content()).includes(credential), "it is not in the page");
  await visit.requireAccessible();
  await visit.picture("persona-operator-provider");
}

// It finishes what it has and takes nothing new, until it is told to go on.
async function drainsWorker(visit: Visit): Promise<void> {
  const { page } = visit;
  await choosePage(visit, "Workers");
  const worker = page.locator("[data-worker]").first();
  await worker.getByText(/slots? in use/).waitFor();
  await worker.getByRole("button", { name: "Drain" }).click();
  await worker.getByText("Draining").waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-operator-drain");
  await worker.getByRole("button", { name: "Resume" }).click();
  await worker.getByRole("button", { name: "Drain" }).waitFor();
}

async function makesKey(scene: Scene, visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  await choosePage(visit, "API keys");
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Credits a month, at most" }).fill("25");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Waiting for the first call…").waitFor();
  await page.getByRole("button", { name: "Done, I have copied it" }).click();
  await page.getByRole("heading", { name }).waitFor();
  const keys = listOf((await scene.server.call({ path: "/account/keys" })).json(), "data");
  const made = keys.find((key) => textOf(key, "name") === name);
  const caps = await scene.server.call({ path: `/account/keys/${textOf(made, "id")}/caps` });
  assert.equal(Number(textOf(caps.json(), "monthly_credits_max")), 25);
  await visit.picture("persona-operator-key");
}

async function followsLinks(visit: Visit): Promise<void> {
  const { page, context } = visit;
  await choosePage(visit, "System");
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "/readyz" }).click();
  const ready = await opened;
  await ready.getByText('"status":"ready"').first().waitFor();
  await ready.close();
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "/metrics" }).click();
  assert.match(readFileSync(await (await coming).path(), "utf8"), /^# HELP atelier_/m);
}

// A provider on this machine that accepts only one credential.
async function strictProvider(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    const isOurs = request.headers.authorization === `Bearer ${credential}`;
    response.writeHead(isOurs ? 404 : 401, { "content-type": "application/json" });
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
