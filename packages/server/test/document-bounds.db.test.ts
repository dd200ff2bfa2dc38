// The document is neither narrower nor wider than the server: everything it says about a parameter, a header or a body's
// member is tried on both sides over HTTP. What it allows is not refused for its shape, and what it does not allow is
// refused.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Json, type Operation, operations } from "@atelier/contract";
import { answerChecker, type CheckAnswer } from "./support/answer-checker.ts";
import { type AppAnswer, type AppRequest, bearer, headerOf } from "./support/app-client.ts";
import { mountedIn } from "./support/app-operations.ts";
import { owner, raiseRates, type Tenant } from "./support/app-people.ts";
import { exceptionFor, exceptions } from "./support/document-exceptions.ts";
import { DocumentProbes, type Probe } from "./support/document-probes.ts";
import { exampleCalls } from "./support/example-calls.ts";
import { inLanes } from "./support/in-lanes.ts";
import { type SandboxProvider, sandboxProvider } from "./support/sandbox-provider.ts";
import { type ScriptedPartner, scriptedPartner } from "./support/scripted-partner.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let partner: ScriptedPartner;
let sandbox: SandboxProvider;
let app: TestApp;
let person: Tenant;
let mounted: readonly Operation[];
let probes: DocumentProbes;
let check: CheckAnswer;
before(async () => {
  partner = await scriptedPartner();
  sandbox = await sandboxProvider();
  app = await testApp({ env: { ...partner.env, ATELIER_PROVIDERS: sandbox.file }, credentials: partner.credentials });
  person = await owner(app);
  await raiseRates(app, app.workspaceId);
  const served: Json = JSON.parse((await app.call({ path: "/openapi.json" })).text);
  probes = new DocumentProbes(served);
  check = answerChecker(served);
  mounted = await mountedIn(app);
  await restore();
});
after(async () => {
  await app.close();
  await partner.close();
  await sandbox.close();
});

// A key that an earlier probe used for another request says nothing about the form of keys.
const isRefused = ({ status, text }: AppAnswer) =>
  (status === 400 || status === 422) && !text.includes("idempotency_key_reuse");
// A malformed address may also simply be not found.
const isTurnedAway = (probe: Probe, answer: AppAnswer) =>
  isRefused(answer) ||
  // tus answers an unknown protocol version with this.
  answer.status === 412 ||
  (probe.location.startsWith("path.") && [403, 404].includes(answer.status));

// Rounds of one operation mostly wait for the database and for files, so they run side by side.
const lanesMax = 6;
// These examples remove what an earlier one created, or change what all of them share, so they run one round after the
// other.
const makesWayForItself = /Publisher$|^(re)?setWorkspace|^finish|^claim/;
// These leave background work long after the probe, and slow down everything that follows.
const leavesWork = /Deployment|^create\w+Prompt$|^relight|^enhance|^submit/;

// Undoes what a successful probe may have changed for the next operations.
async function restore(): Promise<void> {
  const put = async (path: string, body: object) => {
    const answer = await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body });
    assert.equal(answer.status, 200, answer.text);
  };
  await put(`/admin/workspaces/${app.workspaceId}/limits/jobs`, { value: 100_000 });
  // Partner tasks that earlier probes began keep their slots; queued calls would wait behind them.
  await put(`/admin/workspaces/${app.workspaceId}/limits/concurrency`, { value: 10_000 });
  await put(`/admin/workspaces/${app.workspaceId}/models`, { router_enabled: true, entitlements: null });
}

// As many allowed changes together as touch different locations; a change of an address is made alone.
function rounds(allowed: readonly Probe[]): readonly (readonly Probe[])[] {
  const made: Probe[][] = [];
  for (const probe of allowed) {
    const touches = ({ location }: Probe) =>
      [location, probe.location].some((one) => one.startsWith("path.")) ||
      `${location}.`.startsWith(`${probe.location}.`) ||
      `${probe.location}.`.startsWith(`${location}.`);
    const free = made.find((round) => !round.some(touches));
    if (free) free.push(probe);
    else made.push([probe]);
  }
  return made;
}

// A request that asks to wait is kept waiting, and a hidden publisher is not found.
const isLeftOut = ({ location, isAllowed, value }: Probe) =>
  isAllowed && (location.endsWith("wait_ms") || (location === "body.visibility" && value === "workspace"));

// All of them in `npm run test:long -- inputs`; otherwise some of each location on both sides, and everything that an exception is
// about.
function chosen(operationId: string, all: readonly Probe[]): readonly Probe[] {
  const wanted = all.filter((probe) => !isLeftOut(probe));
  if (process.env["ATELIER_TEST_LONG"]) return wanted;
  const sides = Map.groupBy(wanted, ({ location, isAllowed }) => `${location} ${isAllowed}`);
  return [...sides.values()].flatMap((side) => {
    const [first] = side;
    if (first && exceptionFor(operationId, first) !== null) return side;
    const most = first?.isAllowed ? 2 : 3;
    return side.filter((_, at) => at % Math.ceil(side.length / most) === 0);
  });
}

interface Trial {
  readonly operation: Operation;
  readonly example: AppRequest;
  make(): Promise<AppRequest>;
  judge(probe: Probe, answer: AppAnswer): void;
}

async function tryForbidden({ example, judge }: Trial, forbidden: readonly Probe[]): Promise<void> {
  await Promise.all(forbidden.map(async (probe) => judge(probe, await app.call(probe.edit(example)))));
}

// Reads, and requests for things that do not exist, change nothing: the example can be used again.
async function tryAllowed(trial: Trial, allowed: readonly Probe[]): Promise<void> {
  const lanes = makesWayForItself.test(trial.operation.id) ? 1 : lanesMax;
  await inLanes(rounds(allowed), lanes, (round) => tryRound(trial, round));
}

async function tryRound({ operation, example, make, judge }: Trial, round: readonly Probe[]): Promise<void> {
  const fresh = (probe: Probe) =>
    operation.method === "GET" || probe.location.startsWith("path.") ? Promise.resolve(example) : make();
  const [first] = round;
  assert.ok(first);
  const answer = await app.call(round.reduce((request, probe) => probe.edit(request), await fresh(first)));
  if (answer.status < 300 && round.length > 1) return;
  for (const probe of round) judge(probe, round.length === 1 ? answer : await app.call(probe.edit(await fresh(probe))));
}

test("a model's sound output comes through the front door as the document says", async () => {
  const body = { prompt: "a lighthouse at dawn" };
  const answer = await app.call({
    method: "POST",
    path: "/v1/models/sandbox/voice-1",
    headers: bearer(app.key),
    body,
  });
  assert.equal(answer.status, 200, answer.text);
  assert.match(headerOf(answer, "content-type") ?? "", /^audio\//);
  check(operations.invokeModel, answer);
  // Every header that the document promises with a success has the promised type.
  assert.match(headerOf(answer, "x-service-credits-used") ?? "", /^\d+(\.\d+)?$/);
});

test("input that the document allows is not refused for its shape, and any other is", {
  timeout: 900_000,
}, async (context) => {
  const found: string[] = [];
  const used = new Set<string>();
  let tried = 0;
  const inOrder = mounted.toSorted((one, other) => Number(leavesWork.test(one.id)) - Number(leavesWork.test(other.id)));
  for (const operation of inOrder) {
    const from = performance.now();
    const example = exampleCalls[operation.id];
    assert.ok(example);
    const make = async () => example.make({ app, owner: person });
    const first = await make();
    const judge = (probe: Probe, answer: AppAnswer) => {
      const isRight = probe.isAllowed ? !isRefused(answer) && answer.status < 500 : isTurnedAway(probe, answer);
      tried += 1;
      if (isRight) return;
      const excepted = exceptionFor(operation.id, probe);
      if (excepted !== null) used.add(excepted);
      else {
        const shown = JSON.stringify(probe.value)?.slice(0, 60);
        const word = probe.isAllowed ? "allowed" : "not allowed";
        found.push(
          `${operation.id} ${probe.location}: ${shown} is ${word} → ${answer.status} ${answer.text.slice(0, 200)}`,
        );
      }
    };
    const all = chosen(operation.id, probes.ofOperation(operation, first));
    if (all.length === 0) continue;
    const trial = { operation, example: first, make, judge };
    await tryForbidden(
      trial,
      all.filter(({ isAllowed }) => !isAllowed),
    );
    await tryAllowed(
      trial,
      all.filter(({ isAllowed }) => isAllowed),
    );
    if (operation.id.startsWith("setWorkspace") || operation.id.startsWith("resetWorkspace")) await restore();
    const took = performance.now() - from;
    if (took > 500) context.diagnostic(`${operation.id} ${Math.round(took)} ms for ${all.length}`);
  }
  context.diagnostic(`${tried} judged`);
  assert.deepEqual(found, []);
  assert.deepEqual(
    exceptions.map(({ name }) => name).filter((name) => !used.has(name)),
    [],
    "an exception that nothing needs is taken from the list",
  );
});
