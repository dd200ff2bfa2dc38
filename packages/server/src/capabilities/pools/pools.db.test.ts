import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { systemClock } from "../../foundation/clock.ts";
import { sql } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { describeEnvironment, hashEnvironment } from "./environment.ts";
import { createPools, type Pools } from "./pools.ts";

let db: TestDatabase;
let pools: Pools;
before(async () => {
  db = await testDatabase();
  pools = createPools({
    database: db,
    clock: systemClock,
    log: silentLog,
    audit: { append: async () => undefined },
    isTokenUsable: async () => true,
  });
});
after(() => db.close());

const environment = describeEnvironment("application", "1", { A: { input: {} } });
const worker = (poolId = newId<"pool">()) => ({
  workerId: newId<"worker">(),
  poolId,
  name: "rack-1",
  slots: 2,
  environment,
  modelsLoaded: ["a.safetensors"],
});

test("a worker is present while it is seen, and gone when it left or was silent for a minute", async () => {
  const one = worker();
  const two = worker(one.poolId);
  for (const each of [one, two]) await pools.report(each);
  const present = async () => (await pools.present(one.poolId)).map(({ workerId }) => workerId).sort();
  assert.deepEqual(await present(), [one.workerId, two.workerId].sort());
  const [shown] = await pools.present(one.poolId);
  assert.deepEqual([shown?.environment, shown?.modelsLoaded, shown?.slots], [environment, ["a.safetensors"], 2]);
  await pools.leave(one.workerId);
  assert.deepEqual(await present(), [two.workerId]);
  await db.execute(
    sql`update pool_workers set seen_at = now() - interval '61 seconds' where worker_id = ${two.workerId}`,
  );
  assert.deepEqual(await present(), []);
  await pools.seen(two.workerId, ["b.safetensors"]);
  assert.deepEqual((await pools.present(one.poolId))[0]?.modelsLoaded, ["b.safetensors"]);
});

test("the same classes are one object until a worker brings others, and survive a worker that is away", async () => {
  const one = worker();
  const id = hashEnvironment(environment);
  await pools.describe(id, environment, { A: { input: { required: {} } } });
  await pools.report(one);
  const first = await pools.classesOf(one.poolId);
  assert.deepEqual(first.descriptions, { A: { input: { required: {} } } });
  assert.equal(await pools.classesOf(one.poolId), first);
  assert.equal(pools.classesNow(one.poolId), first);
  await pools.leave(one.workerId);
  await pools.report(one);
  assert.equal(await pools.classesOf(one.poolId), first, "nothing has changed");
  const other = describeEnvironment("application", "2", { B: {} });
  await pools.describe(hashEnvironment(other), other, { B: {} });
  await pools.report({ ...worker(one.poolId), environment: other });
  assert.deepEqual(Object.keys((await pools.classesOf(one.poolId)).descriptions).sort(), ["A", "B"]);
  assert.deepEqual((await pools.classesOf(newId<"pool">())).descriptions, {});
});

test("an environment's id depends on what it says and not on the order in which it says it", () => {
  const [a, b] = [
    { A: { x: 1, y: 2 }, B: 1 },
    { B: 1, A: { y: 2, x: 1 } },
  ];
  const idOf = (value: object) => hashEnvironment(describeEnvironment("embedded", "1", { ...value }));
  assert.ok(idOf(a).equals(idOf(b)));
  assert.ok(!idOf(a).equals(idOf({ ...a, C: 1 })));
});
