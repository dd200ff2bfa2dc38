// The one contract of v2, tested on one surface: every case, and what holds for every operation on any request. Answers
// are also checked against the schemas of the contract.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Operation, operations } from "@atelier/contract";
import { freeOfCharge } from "../src/capabilities/graphs/index.ts";
import { sharedPool } from "../src/capabilities/pools/shared-pool.ts";
import { openDatabase, sql } from "../src/foundation/database/index.ts";
import type { RunningServer } from "../src/foundation/http/serve.ts";
import { compileSchema } from "../src/foundation/json/schema.ts";
import { aWorker, eventually, type HandWorker } from "../src/surfaces/jobs.fixture.ts";
import { selfHosted } from "../src/surfaces/self-hosted.ts";
import { aClient, aHouse, type Client, type House, type TestAnswer } from "../src/surfaces/surfaces.fixture.ts";
import { serveAreas } from "./support/small-server.ts";
import { testDatabase } from "./support/test-database.ts";
import { type TestWire, testWire } from "./support/test-postgres-proxy.ts";
import { assetCases } from "./v2-contract/asset-cases.ts";
import type { Asked, ContractCase, Expected, Scene, SurfaceName, V2Operation } from "./v2-contract/contract-case.ts";
import { differences, withoutDatabase, withoutScopesAndRates } from "./v2-contract/differences.ts";
import { expensiveColor, jobCases } from "./v2-contract/job-cases.ts";
import { uploadCases } from "./v2-contract/upload-cases.ts";

export const contractCases: readonly ContractCase[] = [...jobCases, ...assetCases, ...uploadCases];

const operationOf = (id: V2Operation): Operation => operations[id];
// The successful case of every operation that authenticates.
const guarded: readonly ContractCase[] = [
  ...new Map([...contractCases].reverse().map((one) => [one.operation, one])).values(),
].filter(({ operation }) => operations[operation].access !== "public");
const isTus = (id: V2Operation) => operationOf(id).path.startsWith("/api/v2/uploads");
const token = "a-token-of-this-machine";

interface Opened {
  readonly house: House;
  readonly client: Client;
  readonly worker: HandWorker;
  // Between the app and its database.
  readonly wire: TestWire;
  close(): Promise<void>;
}

// A graph of one colour costs more than any wallet has.
const price = (graph: object) =>
  JSON.stringify(graph).includes(`"color":${expensiveColor}`)
    ? [{ part: "run", amount: 10n ** 17n, lowest: 0n, highest: 10n ** 17n }]
    : [];

async function open(surface: SurfaceName): Promise<Opened> {
  const database = await testDatabase();
  const wire = await testWire(database.url);
  const through = openDatabase({ connection: wire.url, poolSize: 10 });
  const house = await aHouse({ price }, { ...through, url: database.url });
  let own: RunningServer | null = null;
  if (surface === "self-hosted") {
    const { workspaceId, assets } = house;
    const value = selfHosted({ workspaceId, token, assets, publicUrl: () => null, poolId: sharedPool });
    own = await serveAreas(house.areasOf(value, { price: freeOfCharge }));
  }
  const port = own?.port ?? (surface === "deployment" ? house.deploymentPort : house.cloudPort);
  const mount = surface === "deployment" ? house.deploymentMount : "";
  const key = surface === "self-hosted" ? token : house.key;
  const client = aClient(`http://127.0.0.1:${port}`, { authorization: `Bearer ${key}` }, mount);
  return {
    house,
    client,
    wire,
    worker: aWorker(house, surface === "deployment" ? house.deploymentPool : sharedPool),
    async close() {
      await client.close();
      await own?.stop(1);
      await house.close();
      await wire.close();
      await database.close();
    },
  };
}

export function v2Contract(surface: SurfaceName): void {
  describe(`the v2 contract on the ${surface} surface`, { timeout: 600_000 }, () => {
    let opened: Opened;
    before(async () => {
      opened = await open(surface);
    });
    after(() => opened.close());

    for (const one of contractCases) {
      const expected = differenceOf(surface, one) ?? one;
      const result = expected.code === null ? expected.status : `${expected.status} ${expected.code}`;
      test(`${one.operation}: ${one.name} is ${result}`, async () => {
        await inScene(surface, opened, async (scene) => {
          const { target, ...request } = await one.make(scene);
          const answer = await scene.client.ask(target, request);
          undoSubmission(scene, one, answer);
          requireAnswer(one.operation, expected, answer);
        });
      });
    }

    test("every operation but health checks the credential first, whatever else is wrong", async () => {
      await eachGuarded(surface, opened, async (one, { target, ...request }, { client }) => {
        requireAnswer(one.operation, refusal(one, 401, "unauthorized"), await client.ask(target, request, {}));
        const wrong = await client.ask(target, request, { authorization: "Bearer wrong" });
        requireAnswer(one.operation, refusal(one, 401, "unauthorized"), wrong);
      });
    });

    test("health needs no credential", async () => {
      assert.equal((await opened.client.ask("/api/v2/health", {}, {})).status, 200);
    });

    test("a failing database is 500 upstream_error at every operation that uses it, without details", async () => {
      await eachGuarded(surface, opened, async (one, { target, ...request }, { client, house }) => {
        if (asksNothing(surface, one)) return;
        await rename(house, "", "_away");
        const answer = await client.ask(target, request).finally(() => rename(house, "_away", ""));
        requireAnswer(one.operation, refusal(one, 500, "upstream_error"), answer);
        assert.doesNotMatch(answer.text, /relation|jobs_|asset_|_away|select/i, one.operation);
      });
    });

    test("an unreachable database is 503 service_unavailable with Retry-After, and all is well when it is back", async () => {
      await allGuarded(surface, opened, async (asked) => {
        opened.wire.onSent = () => "cut before";
        const answers = await Promise.all(
          asked.map(async ([one, { target, ...request }]) => [one, await opened.client.ask(target, request)] as const),
        );
        opened.wire.onSent = undefined;
        for (const [one, answer] of answers) {
          if (asksNothing(surface, one)) continue;
          requireAnswer(one.operation, refusal(one, 503, "service_unavailable"), answer);
          assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/, one.operation);
        }
      });
      await eventually(async () => (await opened.client.ask("/api/v2/jobs")).status === 200);
    });

    test("an unknown method on a path is 405 method_not_allowed with Allow, behind the credential", async () => {
      await eachGuarded(surface, opened, async (one, { target }, { client }) => {
        if (isAbsent(surface, one)) return;
        const answer = await client.ask(target.split("?")[0] ?? "", { method: "PUT" });
        assert.equal(answer.status, 405, one.operation);
        assert.match(answer.headers["allow"] ?? "", new RegExp(operationOf(one.operation).method), one.operation);
        if (!isTus(one.operation)) assert.equal(Object(answer.json()["error"]).code, "method_not_allowed");
        assert.equal((await client.ask(target, { method: "PUT" }, {})).status, 401, one.operation);
      });
    });

    if (withoutScopesAndRates[surface] !== undefined) return;

    test("a key without the scope is 403 forbidden at every operation but health", async () => {
      const authorization = `Bearer ${await opened.house.keyWith(["models"])}`;
      await eachGuarded(surface, opened, async (one, { target, ...request }, { client }) => {
        const answer = await client.ask(target, request, { authorization });
        requireAnswer(one.operation, refusal(one, 403, "forbidden"), answer);
      });
    });

    // The last test, because the budget is used up afterwards.
    test("an exhausted budget is 429 rate_limited with Retry-After at every operation but health", async () => {
      await allGuarded(surface, opened, async (asked) => {
        await spendBudget(opened.house);
        for (const [one, { target, ...request }] of asked) {
          if (isAbsent(surface, one)) continue;
          const answer = await opened.client.ask(target, request);
          requireAnswer(one.operation, refusal(one, 429, "rate_limited"), answer);
          assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/, one.operation);
        }
      });
    });
  });
}

function differenceOf(surface: SurfaceName, one: ContractCase): Expected | undefined {
  return differences.find(
    (each) => each.surface === surface && each.operation === one.operation && each.name === one.name,
  );
}

// A route that a surface does not have is not tested there.
const isAbsent = (surface: SurfaceName, one: ContractCase) =>
  one.operation === "getExecutedWorkflow" && surface !== "deployment";

const asksNothing = (surface: SurfaceName, one: ContractCase) =>
  withoutDatabase.includes(one.operation) || isAbsent(surface, one);

const refusal = (one: ContractCase, status: number, code: string): Expected => ({
  status,
  code: isTus(one.operation) || operationOf(one.operation).method === "HEAD" ? null : code,
});

// Submitted jobs are not left waiting.
function undoSubmission(scene: Scene, one: ContractCase, answer: TestAnswer): void {
  if (one.operation !== "submitJob" || answer.status !== 201) return;
  const { id } = answer.json();
  scene.undo(() => scene.client.ask(`/api/v2/jobs/${String(id)}/cancel`, { method: "POST" }));
}

async function inScene(surface: SurfaceName, opened: Opened, run: (scene: Scene) => Promise<void>): Promise<void> {
  const undoing: (() => Promise<unknown>)[] = [];
  const undo = (step: () => Promise<unknown>) => void undoing.push(step);
  const { house } = opened;
  const scene: Scene = {
    surface,
    ...opened,
    undo,
    async limit(name, value) {
      await setLimit(house, name, value);
      undo(() => setLimit(house, name, null));
    },
  };
  try {
    await run(scene);
  } finally {
    for (const step of undoing.reverse()) await step();
  }
}

async function setLimit(house: House, name: Parameters<Scene["limit"]>[0], value: number | null): Promise<void> {
  const { workspaceId } = house;
  if (value === null) await house.limits.resetOverride(house.db, { workspaceId, name });
  else await house.limits.setOverride(house.db, { workspaceId, name, value });
  await house.limits.drop(workspaceId);
}

// A whole minute ahead, and slow to recover: the test's next request is refused however long it takes to send.
async function spendBudget(house: House): Promise<void> {
  for (const limits of house.limitsOfAll) {
    const spendOne = async () => limits.admit(house.workspaceId, "workflow_and_registry");
    await assert.rejects(async () => {
      for (let count = 0; count < 100_000; count++) await spendOne();
    });
  }
  await setLimit(house, "workflow_and_registry_requests_per_minute", 1);
}

// The successful request of every operation that authenticates.
async function eachGuarded(
  surface: SurfaceName,
  opened: Opened,
  run: (one: ContractCase, asked: Asked, scene: Scene) => Promise<void>,
): Promise<void> {
  for (const one of guarded) await inScene(surface, opened, async (scene) => run(one, await one.make(scene), scene));
}

// The same, all of them in one scene. Operations that want the pool's next job come before those that leave one waiting.
async function allGuarded(
  surface: SurfaceName,
  opened: Opened,
  run: (asked: readonly (readonly [ContractCase, Asked])[]) => Promise<void>,
): Promise<void> {
  const claiming: readonly V2Operation[] = ["getJobPreview", "followJobEvents", "getExecutedWorkflow"];
  const rank = ({ operation }: ContractCase) => (claiming.includes(operation) ? 0 : 1);
  await inScene(surface, opened, async (scene) => {
    const asked: [ContractCase, Asked][] = [];
    for (const one of [...guarded].sort((a, b) => rank(a) - rank(b))) asked.push([one, await one.make(scene)]);
    await run(asked);
  });
}

const tables = ["jobs", "job_ready", "job_keys", "job_graphs", "assets", "asset_uploads", "blobs"];

async function rename(house: House, from: string, to: string): Promise<void> {
  for (const table of tables)
    await house.db.execute({
      ...sql`select 1`,
      text: `alter table ${table}${from} rename to ${table}${to}`,
      name: `${table}${from} to ${table}${to}`,
    });
}

function requireAnswer(id: V2Operation, expected: Expected, answer: TestAnswer): void {
  const operation = operationOf(id);
  assert.equal(answer.status, expected.status, `${id}: ${answer.text.slice(0, 1000)}`);
  const documented = operation.answers[answer.status];
  assert.ok(documented, `${id} documents ${answer.status}`);
  if (expected.code !== null) {
    const { error } = answer.json();
    assert.equal(Object(error).code, expected.code, answer.text);
  }
  if (operation.method === "HEAD" || documented.contentType !== "application/json" || documented.schema === undefined)
    return;
  assert.deepEqual(compileSchema(documented.schema).violations(answer.json()), [], `${id} ${answer.status}`);
}
