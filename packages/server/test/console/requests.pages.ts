// Requests: the list with its filters in the address, the live tail, one request beside it and on its own page, and
// errors by kind.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { headerOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { made } from "./overview.pages.ts";
import type { LookName, Scene } from "./scene.ts";

const model = "sandbox/image-1";

async function send(scene: Scene, body: unknown, headers: Record<string, string> = {}) {
  const answer = await scene.server.call({ method: "POST", path: `/v1/models/${model}`, headers, body });
  const id = headerOf(answer, "x-service-request-id") ?? assert.fail("an answer names its request");
  await until("its usage is written", async () => {
    return (await scene.server.call({ path: `/account/requests/${id}` })).status === 200;
  });
  return { id, status: answer.status };
}

export function requestPages(scene: () => Scene): void {
  describe("requests", () => {
    looksWell(scene, "light");

    test("a filter is in the address and survives a reload; pasting a request's id opens it", async () => {
      await made(scene());
      const { id } = await send(scene(), { prompt: 7 });
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/requests");
      await page.getByRole("combobox", { name: "Outcome" }).selectOption("failed");
      await page.waitForURL(/outcome=failed/);
      await page.reload();
      await page.getByRole("table").getByText("Invalid input").first().waitFor();
      assert.equal(await page.getByRole("table").getByText("Succeeded").count(), 0);
      const field = page.getByRole("combobox", { name: "Model, ID or key" });
      await field.fill("no/such");
      await field.press("Enter");
      await page.getByText("No matching requests").waitFor();
      await page.getByRole("button", { name: "Show all requests" }).click();
      await field.fill(id);
      await field.press("Enter");
      await page.waitForURL(`**/console/requests/${id}`);
      await page
        .getByRole("heading", { level: 1 })
        .getByText("sandbox/image-1")
        .or(page.locator("main [data-tone=warn]").first())
        .first()
        .waitFor();
      await visit.close();
    });

    test("live: a request appears while the page is open; j opens it beside the list, Escape closes", async () => {
      await made(scene());
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/requests");
      await page.getByRole("button", { name: "Go live" }).click();
      await page.getByRole("table").waitFor();
      await send(scene(), { prompt: "seen at once" });
      await page.locator("tr[data-fresh=true]").first().waitFor();
      await page.keyboard.press("j");
      const peek = page.getByRole("complementary", { name: "Request" });
      await peek.getByRole("link", { name: "Open in playground" }).waitFor();
      await page.waitForURL(/peek=/);
      assert.match((await peek.locator("pre").textContent()) ?? "", /\$ATELIER_API_KEY/);
      await visit.requireAccessible();
      await page.keyboard.press("Escape");
      await peek.waitFor({ state: "detached" });
      await visit.close();
    });

    test("Ctrl K takes a request's id and jumps to it; an unknown id has a way on", async () => {
      const { id } = await send(scene(), { prompt: "found by its id" });
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/errors?range=15m");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or paste an ID" }).fill(id);
      await page.getByRole("option", { name: /Request/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/console/requests/${id}`);
      await page.getByText("Succeeded").waitFor();
      await visit.open(`/console/requests/${randomUUID()}`);
      await page
        .getByRole("alert")
        .getByText(/There is no such request in this workspace/)
        .waitFor();
      await visit.requireAccessible();
      await visit.close();
    });

    test("errors are counted by kind and lead to their requests; without any the page is quiet", async () => {
      await made(scene());
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/errors");
      await page.getByRole("table").getByRole("link", { name: model }).first().click();
      await page.waitForURL(/\/console\/requests\?.*outcome=invalid_input/);
      await page.getByRole("table").getByText("Invalid input").first().waitFor();
      await visit.open("/console/errors?from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00.000Z");
      await page.getByRole("heading", { name: "No errors in this range" }).waitFor();
      await visit.requireAccessible();
      await visit.picture("errors-none");
      await visit.close();
    });

    test("a lost answer is shown as the caller saw it, a 422 by its fields, a refused request by its path", async () => {
      const lost = await send(scene(), { prompt: "x", simulate: "truncate" });
      const wrong = await send(scene(), { prompt: 7 });
      const gone = await scene().server.call({ path: `/api/v2/jobs/${randomUUID()}` });
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(`/console/requests/${lost.id}`);
      await page.getByText("The provider's answer was lost. Nothing was charged.").waitFor();
      await page.getByRole("list", { name: "Provider attempts" }).getByText("No response").waitFor();
      assert.equal(await page.locator("main").getByText("Succeeded").count(), 0);
      await visit.requireAccessible();
      await visit.open(`/console/requests/${wrong.id}`);
      await page.getByText("Field must be string").waitFor();
      await visit.open(`/console/requests/${headerOf(gone, "x-service-request-id")}`);
      await page.getByText("There is no such job.").waitFor();
      await visit.close();
    });

    test("an owner keeps inputs and answers: a call shows both, runs again with its input, and is forgotten", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      const before = await send(scene(), { prompt: "not kept" });
      await visit.open(`/console/requests/${before.id}`);
      await page.getByText("This workspace does not keep inputs and answers.").waitFor();
      await page.getByRole("region", { name: "Input and answer" }).getByRole("link", { name: "Members" }).click();
      const panel = page.getByRole("region", { name: "Inputs and answers of model calls" });
      await panel.getByRole("button", { name: "Start keeping" }).click();
      await panel.getByText("Kept", { exact: true }).waitFor();
      await panel.getByRole("combobox", { name: "Delete after" }).selectOption({ label: "7 days" });
      await page.getByText("Inputs and answers are now kept for 7 days.").waitFor();
      await visit.requireAccessible();
      await visit.picture("members-bodies");

      const failed = await send(scene(), { prompt: "a lighthouse in fog", seed: 7, simulate: "fail", api_key: "hush" });
      await visit.open(`/console/requests/${failed.id}`);
      const input = page.getByRole("region", { name: "Input", exact: true });
      await input.getByText("a lighthouse in fog").waitFor();
      await input.getByText("Secrets were removed.").waitFor();
      assert.equal(await page.getByText("hush").count(), 0);
      await page.getByRole("region", { name: "Answer", exact: true }).getByText("detail").waitFor();
      await visit.requireAccessible();
      await visit.picture("request-bodies");
      await page.getByRole("link", { name: "Run again with this input" }).click();
      await page.waitForURL(/\/console\/models\/sandbox\/image-1/);
      await page.getByText("a lighthouse in fog").first().waitFor();

      await visit.open("/console/members?tab=keeping");
      await panel.getByRole("button", { name: "Stop and delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Stop and delete" }).click();
      await panel.getByText("Not kept", { exact: true }).waitFor();
      await visit.open(`/console/requests/${failed.id}`);
      await page.getByText("This workspace does not keep inputs and answers.").waitFor();
      await visit.close();
    });

    test("errors of every area are listed beside the calls; a key finds its call, which says what it cost and why", async () => {
      const gone = await scene().server.call({ path: `/api/v2/jobs/${randomUUID()}` });
      const key = `order-${randomUUID()}`;
      const sent = await scene().server.call({
        method: "POST",
        path: "/v1/models/sandbox/image-1-queued",
        headers: { "idempotency-key": key },
        body: { prompt: "x", simulate: "fail" },
      });
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/requests");
      await page.getByRole("tab", { name: "Errors" }).click();
      await page.waitForURL(/view=errors/);
      await page.getByRole("combobox", { name: "Status" }).selectOption("404");
      const row = page.getByRole("row").nth(1);
      await row.getByText("There is no such job.").waitFor();
      await visit.requireAccessible();
      await visit.picture("requests-errors");
      await row.getByRole("link").click();
      await page.waitForURL(new RegExp(`peek=${headerOf(gone, "x-service-request-id")}`));
      await page.getByRole("tab", { name: "Calls" }).click();
      const field = page.getByRole("combobox", { name: "Model, ID or key" });
      await field.fill(key);
      await field.press("Enter");
      await page.waitForURL(`**/console/requests/${headerOf(sent, "x-service-request-id")}`);
      const credits = page.getByRole("region", { name: "Credits" });
      await credits.getByText("Returned", { exact: true }).waitFor();
      await credits.getByText("Failed calls are not charged").waitFor();
      await visit.requireAccessible();
      await visit.picture("request-failed");
      await visit.close();
    });
  });
}

// The other looks, which take their time.
export function requestLooks(scene: () => Scene): void {
  describe("requests in other looks", () => {
    for (const look of ["dark", "phone", "phone-dark"] satisfies LookName[]) looksWell(scene, look);
  });
}

async function keyOfLongName({ server }: Scene): Promise<Record<string, string>> {
  const body = { name: "A".repeat(100), scopes: ["models"] };
  const made = await server.call({ method: "POST", path: "/account/keys", body });
  return { authorization: `Bearer ${textOf(made.json(), "secret")}` };
}

function looksWell(scene: () => Scene, look: LookName): void {
  test(`${look}: the list, the whole request and the errors are accessible`, async () => {
    await made(scene());
    const { id } = await send(scene(), { prompt: "a quiet lake" }, { "idempotency-key": randomUUID() });
    await send(scene(), { prompt: "a quiet lake" }, await keyOfLongName(scene()));
    const visit = await scene().visit(look);
    await visit.open("/console/requests");
    await visit.page.getByRole("table").getByText(model).first().waitFor();
    await visit.requireAccessible();
    await visit.picture("requests");
    // However long a key's name is, on a phone the columns took, credits and when are visible without scrolling sideways.
    const row = visit.page.getByRole("row").nth(1);
    await row
      .getByText(/just now|ago/)
      .filter({ visible: true })
      .waitFor();
    const over = "[...document.querySelectorAll('main section')].map((it) => it.scrollWidth - it.clientWidth)";
    assert.ok(
      (await visit.page.evaluate<number[]>(over)).every((pixels) => pixels <= 0),
      "the list is as wide as its place",
    );
    await visit.open(`/console/requests/${id}`);
    await visit.page.getByRole("img", { name: /in total/ }).waitFor();
    await visit.requireAccessible();
    await visit.picture("request");
    await visit.open("/console/errors");
    await visit.page.getByText("Invalid input").last().waitFor();
    await visit.requireAccessible();
    await visit.picture("errors");
    await visit.close();
  });
}
