// Checks what the code relies on: one name per operation, one operation per path and method, and an explanation for every part
// of the table. The v2 list is written out, so nothing can slip in beyond the specification.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Type } from "typebox";
import { exposedHeaders, headerMeanings } from "./headers.ts";
import { JobNode, JobNotification } from "./jobs.ts";
import type { Operation } from "./operation.ts";
import { tagMeanings } from "./operations/tags.ts";
import { operations, operationsByArea } from "./operations.ts";

const table: [string, Operation][] = Object.entries(operations);
const all = table.map(([, operation]) => operation);
const isWorkflow = ({ path }: { readonly path: string }) => /^\/(api\/(?!workers\/)|workflow$)/.test(path);
const money = /credit|price|cost|charge|billing|billed|money|usd|wallet|balance|estimate/i;

// Every member name that a schema can have, at any depth.
function membersOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(membersOf);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== "properties") return membersOf(value);
    return [...Object.keys(value), ...Object.values(value).flatMap(membersOf)];
  });
}
const keysOf = (object: { properties: object } | undefined) => Object.keys(object?.properties ?? {});

test("the key of an operation is its id", () => {
  for (const [key, operation] of table) assert.equal(operation.id, key);
});

test("ids are camelCase and unique, and no area hides another's operation", () => {
  const ids = Object.values(operationsByArea).flatMap((area) => Object.keys(area));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.sort(), Object.keys(operations).sort());
  for (const id of ids) assert.match(id, /^[a-z]+([A-Z][a-z]*)+$/);
});

test("no two operations have the same method and path, whatever their parameters are called", () => {
  const routes = all.map(({ method, path }) => `${method} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`);
  assert.deepEqual(
    routes.filter((route, at) => routes.indexOf(route) !== at),
    [],
  );
});

test("the parameters in a path are exactly the ones the operation describes", () => {
  for (const { id, path, params } of all) {
    const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map((found) => found[1]);
    assert.deepEqual(keysOf(params).sort(), inPath.sort(), id);
    assert.deepEqual([...(params?.required ?? [])].sort(), inPath, `${id}: a path parameter is always there`);
  }
});

test("every operation has a summary, an explained tag and a successful answer", () => {
  for (const { id, summary, tag, answers } of all) {
    assert.match(summary, /^[A-Z].*[^.\s]$/, id);
    assert.ok(Object.hasOwn(tagMeanings, tag), `${id}: ${tag}`);
    assert.ok(
      Object.keys(answers).some((status) => /^[23]\d\d$/.test(status)),
      id,
    );
  }
});

test("every header of a request or an answer is explained", () => {
  for (const { id, headers, answers } of all) {
    const used = [...keysOf(headers), ...Object.values(answers).flatMap((answer) => answer.headers ?? [])];
    for (const name of [...used, ...exposedHeaders]) assert.ok(Object.hasOwn(headerMeanings, name), `${id}: ${name}`);
  }
});

test("an answer with a schema names its content type, and one without has no content", () => {
  for (const { id, answers } of all) {
    for (const [status, { schema, contentType }] of Object.entries(answers)) {
      assert.equal(schema === undefined, contentType === undefined, `${id} ${status}`);
    }
  }
});

test("an operation that needs a credential can answer 401, and 304 goes with If-None-Match and an ETag", () => {
  for (const { id, access, answers, headers } of all) {
    if (access !== "public") assert.ok(answers[401], id);
    if (!answers[304]) continue;
    assert.ok(keysOf(headers).includes("If-None-Match"), id);
    assert.ok(answers[304].headers?.includes("ETag") && answers[200]?.headers?.includes("ETag"), id);
  }
});

test("GET, HEAD and DELETE take no body", () => {
  for (const { id, method, body } of all) if (/GET|HEAD|DELETE/.test(method)) assert.equal(body, undefined, id);
});

test("errors use the envelope of their prefix", () => {
  const envelope = ({ path }: Operation) =>
    path.startsWith("/v1/")
      ? /\/requests(\/|$)/.test(path)
        ? /^(Router((Validation)?Error|Refusal)|ModelRequestError)$/
        : /^Router((Validation)?Error|Refusal)$/
      : isWorkflow({ path })
        ? /^WorkflowError$/
        : path === "/mcp"
          ? /^JsonRpcMessage$/
          : /^GenericError$/;
  for (const operation of all) {
    for (const [status, { schema, contentType }] of Object.entries(operation.answers)) {
      // Pages for people fail as pages, and readiness fails with its own body.
      if (Number(status) < 400 || !schema || contentType !== "application/json" || operation.id === "getReadiness")
        continue;
      assert.match(String("title" in schema ? schema.title : ""), envelope(operation), `${operation.id} ${status}`);
    }
  }
});

test("every router error carries its bucket, and only the router's do", () => {
  for (const { id, path, answers } of all) {
    for (const [status, { headers }] of Object.entries(answers)) {
      const expected = path.startsWith("/v1/") && Number(status) >= 400;
      assert.equal(headers?.includes("X-Service-Error-Type") ?? false, expected, `${id} ${status}`);
    }
  }
});

// Decisions, section 4: clients read any 409 of the proxy as a broken account.
test("the partner proxy never answers 409", () => {
  for (const { id, path, answers } of all) if (path.startsWith("/proxy/")) assert.equal(answers[409], undefined, id);
});

test("v2 is exactly this list", () => {
  const listed = all.filter(isWorkflow).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(listed.sort(), [
    "DELETE /api/v2/assets/{id}",
    "DELETE /api/v2/uploads/{id}",
    "GET /api/v2",
    "GET /api/v2/assets",
    "GET /api/v2/assets/{id}",
    "GET /api/v2/assets/{id}/content",
    "GET /api/v2/assets/{id}/thumbnail",
    "GET /api/v2/health",
    "GET /api/v2/jobs",
    "GET /api/v2/jobs/{id}",
    "GET /api/v2/jobs/{id}/events",
    "GET /api/v2/jobs/{id}/preview",
    "GET /api/v2/jobs/{id}/workflow",
    "GET /api/v2/node-classes",
    "GET /api/v2/node-classes/{name}",
    "GET /workflow",
    "HEAD /api/v2/assets/by-hash/{hash}",
    "HEAD /api/v2/uploads/{id}",
    "PATCH /api/v2/assets/{id}",
    "PATCH /api/v2/uploads/{id}",
    "POST /api/jobs/cancel",
    "POST /api/jobs/{job_id}/cancel",
    "POST /api/v2/assets",
    "POST /api/v2/assets/from-hash",
    "POST /api/v2/assets/from-path",
    "POST /api/v2/jobs",
    "POST /api/v2/jobs/{id}/cancel",
    "POST /api/v2/uploads",
    "POST /api/v2/workflows/convert",
  ]);
});

// Spec, v2: credits, model browsing and queue management are not part of it.
test("v2 has no operation about credits, models or the queue", () => {
  const foreign = /credit|balance|wallet|billing|price|model|catalog|queue|interrupt|history|reorder/i;
  for (const { id, path } of all.filter(isWorkflow)) assert.doesNotMatch(`${id} ${path}`, foreign);
});

describe("v2 has no member about money, in requests, answers, events and notifications", () => {
  const byOperation = Object.fromEntries(
    all
      .filter(isWorkflow)
      .map(({ id, params, query, body, answers }) => [
        id,
        [params, query, body?.schema, ...Object.values(answers).map(({ schema }) => schema)].flatMap(membersOf),
      ]),
  );
  const shapes: Readonly<Record<string, readonly string[]>> = {
    ...byOperation,
    notification: membersOf(JobNotification),
  };

  for (const [id, members] of Object.entries(shapes))
    test(id, () =>
      assert.deepEqual(
        members.filter((name) => money.test(name)),
        [],
      ),
    );

  test("the walk reaches members inside lists, maps, unions and events, and finds a planted one", () => {
    for (const [id, member] of [
      ["getJob", "nodes_total"],
      ["listJobs", "class_type"],
      ["submitJob", "secret_access_key"],
      ["followJobEvents", "data_base64"],
      ["getNodeClass", "is_multiline"],
      ["notification", "sequence"],
    ] as const)
      assert.ok(shapes[id]?.includes(member), `${id} has ${member}`);
    const node = Type.Object({ ...JobNode.properties, credits: Type.String() });
    const planted = Type.Object({ data: Type.Array(Type.Union([Type.Null(), Type.Record(Type.String(), node)])) });
    assert.deepEqual(
      membersOf(planted).filter((name) => money.test(name)),
      ["credits"],
    );
  });
});

// Health and documents, ways to sign in, addresses that carry their own proof, and everything in the registry that is public:
// dumpNodes lets a mirror follow public data, and getNodeArchive serves what anyone may install. The archive of a hidden
// publisher needs the signature in its address.
test("only these operations need no credential", () => {
  const open = all.filter(({ access }) => access === "public").map(({ id }) => id);
  assert.deepEqual(open.sort(), [
    "beginOidcSignIn",
    "confirmSignIn",
    "dumpNodes",
    "finishOidcSignIn",
    "getBadges",
    "getClientPackage",
    "getConsoleConfig",
    "getConsoleFile",
    "getDescriptor",
    "getDocs",
    "getGuide",
    "getHealth",
    "getIndex",
    "getKeySet",
    "getLiveness",
    "getLlmsText",
    "getNode",
    "getNodeArchive",
    "getNodeByDescriptorName",
    "getNodeCapabilities",
    "getNodeReadme",
    "getNodeVersion",
    "getNodeVersionsInBulk",
    "getOpenApi",
    "getPublisher",
    "getReadiness",
    "getRegistryOpenApi",
    "getReleaseNotes",
    "getSecurityContact",
    "getSignedContent",
    "getSignedUpload",
    "getWorkflowHealth",
    "installNode",
    "listAllVersions",
    "listDescriptors",
    "listGuides",
    "listNodeVersions",
    "listNodes",
    "listPublisherNodes",
    "listPublisherNodesPaged",
    "listReleaseNotes",
    "putSignedUpload",
    "receivePartnerCallback",
    "receivePaymentEvent",
    "searchDescriptors",
    "searchNodes",
    "showApiKeys",
    "showConsole",
    "showConsolePage",
    "showConsolePart",
    "showConsoleThing",
    "showSignIn",
    "showWork",
    "signIn",
    "validatePublisherId",
  ]);
});

// The paths the specification names, with the success status of the decisions.
test("everything the specification names is in the table", () => {
  const named: [string, Operation, number][] = [
    ["GET /nodes/pricing/badges", operations.getBadges, 200],
    ["GET /v1/models", operations.listModels, 200],
    ["GET /v1/models/{provider}/{model}", operations.getModel, 200],
    ["POST /v1/models/{provider}/{model}", operations.invokeModel, 200],
    ["GET /v1/models/{provider}/{model}/openapi.json", operations.getInputSchema, 200],
    ["POST /proxy/partner-a/v1/ai/image-relight", operations.relightImage, 200],
    ["POST /proxy/partner-a/v1/ai/skin-enhancer/flexible", operations.enhanceSkinFlexible, 200],
    ["GET /proxy/partner-b/prompts/{prompt_id}", operations.getPrompt, 200],
    ["POST /proxy/partner-b/prompts/text-to-video", operations.createTextToVideoPrompt, 201],
    ["POST /publishers/{publisherId}/nodes", operations.createNode, 201],
    ["PUT /nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}", operations.updateDescriptor, 200],
    ["GET /api/v2/assets/{id}", operations.getAsset, 200],
    ["GET /workflow", operations.getExecutedWorkflow, 200],
    ["POST /api/jobs/{job_id}/cancel", operations.cancelOneJob, 200],
    ["POST /api/jobs/cancel", operations.cancelManyJobs, 200],
  ];
  for (const [route, operation, status] of named) {
    assert.equal(`${operation.method} ${operation.path}`, route);
    assert.ok(operation.answers[status], route);
  }
});
