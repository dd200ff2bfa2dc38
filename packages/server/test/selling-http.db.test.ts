// Selling credits over HTTP: from a signed event to an invoice that its workspace can download, and nothing of it when it is off.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { bearer, listOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { anInvoice, aPlan, aWaitingPayment, paidInvoice, signedEvent } from "./support/payment-events.ts";
import { paymentsSecret } from "./support/payments-secret.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
before(async () => {
  app = await testApp({ env: { ATELIER_INVOICE_SELLER: "Example Pictures GmbH | Lindenallee 4 | VAT DE123456789" } });
});
after(() => app.close());

const get = (path: string, key = app.key) => app.call({ path, headers: bearer(key) });
const admin = (path: string, body?: object, method = body === undefined ? "GET" : "POST") =>
  app.call({ method, path, headers: bearer(app.adminToken), ...(body === undefined ? {} : { body }) });

test("a paid invoice becomes credits and an invoice, for its workspace only", async () => {
  const tenant = await addTenant(app, "Bea");
  const before = Number(textOf((await get("/account/credits", tenant.key)).json(), "available"));
  const id = await anInvoice(app, tenant.workspaceId);
  assert.equal(Number(textOf((await get("/account/credits", tenant.key)).json(), "available")), before + 1000);
  const invoice = (await get(`/account/invoices/${id}`, tenant.key)).json();
  assert.equal(textOf(invoice, "credits"), "1000");
  assert.equal(textOf(invoice, "customer", "name"), "Ada's Studio");
  const [current] = listOf((await get("/account/plans", tenant.key)).json(), "current");
  assert.deepEqual([textOf(current, "name"), textOf(current, "state")], ["Studio", "active"]);
  const pdf = await get(`/account/invoices/${id}/pdf`, tenant.key);
  assert.deepEqual([pdf.status, pdf.headers["content-type"]], [200, "application/pdf"]);
  assert.equal(pdf.bytes.subarray(0, 5).toString(), "%PDF-");
  for (const path of [`/account/invoices/${id}`, `/account/invoices/${id}/pdf`])
    assert.equal((await get(path)).status, 404);
  assert.equal(listOf((await get("/account/invoices", tenant.key)).json(), "data").length, 1);
  const lines = listOf((await get("/account/credits/lines", tenant.key)).json(), "data");
  assert.equal(textOf(lines[0], "kind"), "fund");
});

test("pages of invoices go on where the last one ended", async () => {
  const tenant = await addTenant(app, "Cleo");
  for (let count = 0; count < 3; count++) await anInvoice(app, tenant.workspaceId);
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const page = (await get(`/account/invoices?limit=2${cursor}`, tenant.key)).json();
    seen.push(...listOf(page, "data").map((each) => textOf(each, "id")));
    const next = (page as { next_cursor?: string }).next_cursor;
    if (next === undefined) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  assert.equal(new Set(seen).size, 3);
  assert.equal((await get("/account/invoices?cursor=v1.nothing-that-we-made", tenant.key)).status, 400);
});

test("plans: offered with a link that names the workspace, changed, retired, and one for each price", async () => {
  const { id, price } = await aPlan(app);
  const change = { checkout_url: "https://payments.example/buy?x=1", credits: "25", rolls_over: false };
  assert.equal((await admin(`/admin/plans/${id}`, change, "PATCH")).status, 200);
  const offer = listOf((await get("/account/plans")).json(), "offers").find((each) => textOf(each, "id") === id);
  assert.equal(
    textOf(offer, "checkout_url"),
    `https://payments.example/buy?x=1&client_reference_id=${app.workspaceId}`,
  );
  assert.equal(textOf(offer, "credits"), "25");
  assert.equal((await admin(`/admin/plans/${id}`, { is_retired: true }, "PATCH")).status, 200);
  const offers = listOf((await get("/account/plans")).json(), "offers");
  assert.ok(offers.every((each) => textOf(each, "id") !== id));
  const body = { name: "Again", credits: "1", price_minor: 1, currency: "eur", price_id: price };
  assert.equal((await admin("/admin/plans", body)).status, 409);
  assert.equal(
    (await admin("/admin/plans", { ...body, price_id: "p2", checkout_url: "http://x.example" })).status,
    400,
  );
  assert.equal((await admin(`/admin/plans/${app.workspaceId}`, { name: "x" }, "PATCH")).status, 404);
});

describe("events", () => {
  test("repeated ones and parallel ones change nothing; wrong signatures are 400 and too large bodies 413", async () => {
    const { price } = await aPlan(app);
    const event = paidInvoice(price, app.workspaceId);
    const available = async () => Number(textOf((await get("/account/credits")).json(), "available"));
    const before = await available();
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.call(signedEvent(event))));
    for (const answer of answers) assert.deepEqual([answer.status, textOf(answer.json(), "state")], [200, "applied"]);
    assert.equal(await available(), before + 1000);
    assert.equal((await app.call(signedEvent(event, new Date(), "whsec_of_somebody_else"))).status, 400);
    assert.equal((await app.call(signedEvent(event, new Date(Date.now() - 600_000)))).status, 400);
    assert.equal((await app.call({ ...signedEvent(event), path: "/payments/events/other" })).status, 404);
    assert.equal((await app.call(signedEvent({ ...event, padding: "x".repeat(600_000) }))).status, 413);
    assert.ok(!app.logged.join("\n").includes(paymentsSecret));
  });

  test("one without a workspace waits with a note, and assigning it adds the credits once", async () => {
    const tenant = await addTenant(app, "Dora");
    const id = await aWaitingPayment(app);
    const [event] = listOf((await admin("/admin/payments/events?limit=1")).json(), "data");
    assert.match(textOf(event, "note"), /assign it/);
    const assign = { workspace_id: tenant.workspaceId };
    const before = Number(textOf((await get("/account/credits", tenant.key)).json(), "available"));
    assert.equal((await admin(`/admin/payments/${id}/assign`, { workspace_id: id })).status, 404);
    assert.equal((await admin(`/admin/payments/${id}/assign`, assign)).status, 200);
    assert.equal((await admin(`/admin/payments/${id}/assign`, assign)).status, 409);
    assert.equal(Number(textOf((await get("/account/credits", tenant.key)).json(), "available")), before + 1000);
    const noted = listOf((await admin("/admin/payments/events?limit=1")).json(), "data");
    assert.equal((noted[0] as { note: unknown }).note, null);
    const audit = listOf((await admin("/admin/audit?action=credits.fund&limit=1")).json(), "data");
    assert.equal(textOf(audit[0], "actor", "name"), "payments");
    const checks = (await admin("/admin/checks")).text;
    assert.match(checks, /payments/);
  });
});

test("the books hold", async () => {
  for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
  // A planted row is seen.
  const planted = sql`update payments set credits = credits + 1 where granted_at is not null`;
  await app.database.execute(planted);
  const broken = await Promise.all(
    allInvariants.map(async ({ name, statement }) => ({ name, rows: await app.database.query(statement) })),
  );
  assert.deepEqual(
    broken.filter(({ rows }) => rows.length > 0).map(({ name }) => name.slice(0, 2)),
    ["P2"],
  );
});

test("when it is off, all of it answers 404", async () => {
  const off = await testApp({ env: { ATELIER_PAYMENTS_SECRET: "" } });
  try {
    for (const path of ["/account/plans", "/account/invoices", `/account/invoices/${off.workspaceId}`]) {
      assert.equal((await off.call({ path, headers: bearer(off.key) })).status, 404, path);
    }
    for (const path of ["/admin/plans", "/admin/payments", "/admin/payments/events"])
      assert.equal((await off.call({ path, headers: bearer(off.adminToken) })).status, 404, path);
    assert.equal((await off.call(signedEvent(paidInvoice("price_x", null)))).status, 404);
    assert.ok(
      !(await off.call({ path: "/admin/background-work", headers: bearer(off.adminToken) })).text.includes("payments:"),
    );
  } finally {
    await off.close();
  }
});
