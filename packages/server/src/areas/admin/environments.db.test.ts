// Environments over HTTP: kept by operators, version by version, and compared.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { bearer } from "../../../test/support/app-client.ts";
import { aLock, keepEnvironment } from "../../../test/support/environment-example-calls.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";

let app: TestApp;

before(async () => {
  app = await testApp();
});
after(() => app.close());

const call = (method: string, path: string, body?: object) =>
  app.call({ method, path, headers: bearer(app.adminToken), ...(body === undefined ? {} : { body }) });

interface Kept {
  readonly id: string;
  readonly version: number;
  readonly lock_id: string;
  readonly weight_bytes: number;
  readonly lock: unknown;
}

const keep = async (name: string, lock: object) => {
  const answer = await call("POST", "/admin/environments", { name, lock });
  return { status: answer.status, kept: answer.json() as Kept };
};

describe("an environment", () => {
  test("is kept as the next version under its name, unless the newest is the same lock", async () => {
    const name = `portraits ${randomUUID()}`;
    const [first, same, second, back] = [
      await keep(name, aLock("1.0.0")),
      await keep(name, aLock("1.0.0")),
      await keep(name, aLock("1.1.0")),
      await keep(name, aLock("1.0.0")),
    ];
    assert.deepEqual(
      [first, same, second, back].map(({ status, kept }) => [status, kept.version]),
      [
        [201, 1],
        [200, 1],
        [201, 2],
        [201, 3],
      ],
    );
    assert.equal(same.kept.id, first.kept.id);
    assert.equal(back.kept.lock_id, first.kept.lock_id);
    assert.equal(first.kept.weight_bytes, 4096);
  });

  test("saved by many at once gets a version for each different lock, in order", async () => {
    const name = `race ${randomUUID()}`;
    const saved = await Promise.all(Array.from({ length: 8 }, (_, index) => keep(name, aLock(`2.${index}.0`))));
    assert.deepEqual(saved.map(({ kept }) => kept.version).sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("gives its lock back as it came, and says what differs from another", async () => {
    const [from, to] = [await keepEnvironment(app), await keepEnvironment(app, undefined, aLock("1.1.0"))];
    const read = (await call("GET", `/admin/environments/${from}`)).json() as Kept;
    assert.deepEqual(read.lock, aLock());
    const differences = (await call("GET", `/admin/environments/${from}/differences?to=${to}`)).json();
    assert.deepEqual(differences, {
      data: [{ part: "pack", name: "studio", change: "changed", words: "1.0.0 → 1.1.0" }],
      total: 1,
    });
  });

  test("that is removed is gone, while another with the same lock stays whole", async () => {
    const [first, second] = [await keepEnvironment(app), await keepEnvironment(app)];
    assert.equal((await call("DELETE", `/admin/environments/${first}`)).status, 204);
    assert.equal((await call("GET", `/admin/environments/${first}`)).status, 404);
    assert.equal((await call("GET", `/admin/environments/${second}`)).status, 200);
    const audit = (await call("GET", `/admin/audit?subject_id=${first}`)).json() as { data: { action: string }[] };
    assert.deepEqual(
      audit.data.map(({ action }) => action),
      ["environment.remove", "environment.save"],
    );
  });

  test("is refused if its lock leads outside, is damaged or unordered", async () => {
    const [weight] = aLock().weights;
    for (const weights of [
      [{ ...weight, path: "../../etc/passwd" }],
      [{ ...weight, blake3: "none" }],
      [weight, weight],
    ])
      assert.equal((await keep("bad", { ...aLock(), weights })).status, 400, JSON.stringify(weights));
    assert.equal((await call("GET", "/admin/environments/not-an-id")).status, 404);
    const id = await keepEnvironment(app);
    assert.equal((await call("GET", `/admin/environments/${id}/differences`)).status, 400);
    assert.equal((await call("GET", `/admin/environments/${id}/differences?to=${randomUUID()}`)).status, 404);
  });
});
