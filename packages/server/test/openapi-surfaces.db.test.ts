// GET /openapi.json at the root of every surface: exactly what is mounted there, at the address where it was requested,
// and every operation answers as that document says. We find out what is mounted by trying every operation there is.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { allOperations, type Json, type Operation, operations } from "@atelier/contract";
import { type RunningSandboxApplication, startSandboxApplication } from "@atelier/sandbox";
import { answerChecker } from "./support/answer-checker.ts";
import { type AppCall, type AppClient, bearer, memberOf, openClient, textOf } from "./support/app-client.ts";
import { anyPath } from "./support/app-operations.ts";
import { owner, type Tenant } from "./support/app-people.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { exampleCalls } from "./support/example-calls.ts";
import { type ProxyApp, proxyApp } from "./support/proxy-app.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

interface Surface {
  readonly call: AppCall;
  readonly mount: string;
  readonly headers: Readonly<Record<string, string>>;
}

let app: TestApp;
let person: Tenant;
let id: string;
let alone: TestApp;
let home: string;
let application: RunningSandboxApplication;
let proxy: ProxyApp;
let client: AppClient;
before(async () => {
  app = await testApp();
  person = await owner(app);
  id = await makeDeployment(app, {});
  alone = await testApp({ beside: app, deploymentId: id, env: { ATELIER_ENGINE_SLOTS: "0" } });
  home = await mkdtemp(join(tmpdir(), "atelier-surfaces-"));
  application = await startSandboxApplication({ home });
  proxy = await proxyApp({ applicationUrl: application.url });
  client = openClient(proxy.url);
});
after(async () => {
  await client.close();
  await proxy.close();
  await application.close();
  await alone.close();
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const underPath = (): Surface => ({ call: app.call, mount: `/deployment/${id}`, headers: bearer(app.key) });
const underName = (): Surface => ({
  call: app.call,
  mount: "",
  headers: { ...bearer(app.key), host: `dep-${id}.localhost:${app.port}` },
});
const ownProcess = (): Surface => ({ call: alone.call, mount: "", headers: bearer(app.key) });
const selfHosted = (): Surface => ({ call: client.call, mount: "", headers: {} });

async function documentOf({ call, mount, headers: { host } }: Surface): Promise<Json> {
  const answer = await call({ path: `${mount}/openapi.json`, ...(host === undefined ? {} : { headers: { host } }) });
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text);
}

function idsIn(document: Json): string[] {
  const paths = memberOf(document, "paths");
  return Object.values(Object(paths))
    .flatMap((methods) => Object.values(Object(methods)))
    .map((operation) => textOf(operation, "operationId"))
    .sort();
}

async function isMounted({ call, mount, headers }: Surface, operation: Operation): Promise<boolean> {
  const path = `${mount}${anyPath(operation)}`;
  const answer = await call({ method: operation.method, path, headers });
  // A HEAD has no body; where it is an operation, there is no GET beside it.
  if (operation.method === "HEAD") {
    const get = await call({ path, headers });
    return get.status === 405;
  }
  return answer.status !== 405 && !answer.text.includes("There is nothing at this path");
}

async function mountedOn(surface: Surface): Promise<string[]> {
  const mounted: string[] = [];
  for (const operation of allOperations) if (await isMounted(surface, operation)) mounted.push(operation.id);
  return mounted.sort();
}

const surfaces = [
  { name: "a deployment under its path", surface: underPath, title: "Atelier deployment API" },
  { name: "a deployment under its name", surface: underName, title: "Atelier deployment API" },
  { name: "a deployment in a process of its own", surface: ownProcess, title: "Atelier deployment API" },
  { name: "the self-hosted proxy", surface: selfHosted, title: "Atelier self-hosted API" },
];

for (const { name, surface, title } of surfaces) {
  describe(name, () => {
    let document: Json;
    before(async () => {
      document = await documentOf(surface());
    });

    test("describes exactly the operations that are mounted there", async () => {
      assert.deepEqual(idsIn(document), await mountedOn(surface()));
    });

    test("says its address and what it is", () => {
      assert.equal(textOf(document, "servers", 0, "url"), surface().mount || "/");
      assert.equal(textOf(document, "info", "title"), title);
    });

    test("every operation answers as the document says", async () => {
      const check = answerChecker(document);
      const scene = { app, owner: person };
      const { call, mount, headers } = surface();
      for (const each of idsIn(document)) {
        const operation = allOperations.find((known) => known.id === each);
        assert.ok(operation);
        const credential = operation.access === "admin" ? bearer(app.adminToken) : {};
        const ask = { method: operation.method, path: anyPath(operation), body: { nonsense: null } };
        const example = name.startsWith("a deployment") ? await exampleCalls[each]?.make(scene) : undefined;
        for (const request of [ask, ...(example ? [example] : [])]) {
          const all = { ...Object(request).headers, ...headers, ...credential };
          check(operation, await call({ ...request, path: `${mount}${request.path}`, headers: all }));
        }
      }
    });
  });
}

test("operations of a dedicated or self-hosted surface are only in its own document", async () => {
  const onCloud = idsIn(JSON.parse((await app.call({ path: "/openapi.json" })).text));
  const onDeployment = idsIn(await documentOf(underPath()));
  const onProxy = idsIn(await documentOf(selfHosted()));
  const has = (operation: string) => [onCloud, onDeployment, onProxy].map((ids) => ids.includes(operation));
  assert.deepEqual(has(operations.getExecutedWorkflow.id), [false, true, false]);
  assert.deepEqual(has(operations.createAssetFromPath.id), [false, false, true]);
});

test("the document of an unknown deployment is the same: it reveals nothing", async () => {
  const absent = "00000000-0000-7000-8000-000000000000";
  const [there, not] = await Promise.all(
    [id, absent].map(async (one) => (await app.call({ path: `/deployment/${one}/openapi.json` })).text),
  );
  assert.equal(not, there?.replaceAll(id, absent));
});
