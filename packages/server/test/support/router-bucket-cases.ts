// What the router refuses before it asks any provider, as a table: bucket, status, when, and how to get it.
import assert from "node:assert/strict";
import type { RouterBucket } from "@atelier/contract";
import { type AppAnswer, bearer, textOf } from "./app-client.ts";
import type { Tenant } from "./app-people.ts";
import { aKey, invokeOn, type RouterApp, readOn } from "./router-calls.ts";
import type { SandboxApps } from "./sandbox-app.ts";
import type { TestApp } from "./test-app.ts";

export interface BucketCase {
  readonly bucket: RouterBucket;
  readonly status: number;
  readonly when: string;
  readonly retryAfter?: RegExp;
  // Set if the case is about the state of a single process; says which.
  readonly ofOneProcess?: string;
  produce(): Promise<AppAnswer>;
}

export interface BucketWorld {
  readonly app: TestApp;
  readonly apps: SandboxApps;
  // A person with a separate workspace, created once per name.
  asTenant(name: string, prepare?: (tenant: Tenant) => Promise<unknown>): Promise<RouterApp>;
}

export function refusedByUs(world: () => BucketWorld): readonly BucketCase[] {
  return [
    {
      bucket: "unauthorized",
      status: 401,
      when: "no credential",
      produce: () => world().app.call({ path: "/v1/models" }),
    },
    {
      bucket: "unauthorized",
      status: 401,
      when: "no credential on an unknown route",
      produce: () => world().app.call({ path: "/v1/nothing/here/at/all" }),
    },
    {
      bucket: "forbidden",
      status: 403,
      when: "the workspace is not entitled to the model",
      async produce() {
        const barred = await world().asTenant("Barred", ({ workspaceId }) =>
          mayRun(world().app, workspaceId, { router_enabled: true, entitlements: ["other/*"] }),
        );
        return invokeOn(barred, "sandbox/text-1", { prompt: "x" });
      },
    },
    {
      bucket: "not_enabled",
      status: 403,
      when: "the router is closed to the workspace",
      async produce() {
        const shut = await world().asTenant("Shut", ({ workspaceId }) =>
          mayRun(world().app, workspaceId, { router_enabled: false, entitlements: null }),
        );
        return readOn(shut, "/v1/models");
      },
    },
    {
      bucket: "forbidden",
      status: 403,
      when: "the schema of a model that the workspace may not run",
      produce: async () => readOn(await world().asTenant("Barred"), "/v1/models/sandbox/text-1/openapi.json"),
    },
    ...["/v1/models", "/v1/models/sandbox/text-1", "/v1/nothing"].map(
      (path): BucketCase => ({
        bucket: "forbidden",
        status: 403,
        when: `GET ${path} with a key that lacks the scope models`,
        produce: async () => world().app.call({ path, headers: bearer(await keyWithout(world().app)) }),
      }),
    ),
    {
      bucket: "not_enabled",
      status: 404,
      when: "the router is switched off",
      async produce() {
        const off = await world().apps.open({ beside: world().app, env: { ATELIER_ROUTER: "off" } });
        return invokeOn(off, "sandbox/text-1", { prompt: "x" });
      },
    },
    ...[
      "sandbox/image-2",
      "SANDBOX/image-1",
      "sandbox/..%2f",
      "sandbox/%69mage-1",
      "sandbox/image-1/more/parts",
      "sandbox/a--b",
    ].map(
      (path): BucketCase => ({
        bucket: "model_not_found",
        status: 404,
        when: `POST ${path}`,
        produce: () => invokeOn(world().app, path, { prompt: "x" }),
      }),
    ),
    {
      bucket: "invalid_input",
      status: 422,
      when: "the schema says no",
      produce: () => invokeOn(world().app, "sandbox/image-1", { seed: "x" }),
    },
    {
      bucket: "invalid_input",
      status: 422,
      when: "a model without a schema gets an array",
      produce: () => invokeOn(world().app, "sandbox/open-1", []),
    },
    {
      bucket: "invalid_input",
      status: 422,
      when: "the provider lists the fields it rejects",
      produce: () => invokeOn(world().app, "scripted/fields", {}),
    },
    {
      bucket: "invalid_input",
      status: 400,
      when: "the provider calls the input bad",
      produce: () => invokeOn(world().app, "scripted/rejecting", {}),
    },
    ...["", "{", '{"a":1,"a":2}', "\u00ff", '{"a":01}', `${'{"a":'.repeat(70)}1${"}".repeat(70)}`].map(
      (body): BucketCase => ({
        bucket: "invalid_input",
        status: 400,
        when: `the body ${body.slice(0, 20)}`,
        produce: () => invokeOn(world().app, "sandbox/open-1", Buffer.from(body, "latin1")),
      }),
    ),
    ...[
      { "content-type": "text/plain" },
      { "content-encoding": "gzip" },
      { "idempotency-key": "x".repeat(256) },
      { "idempotency-key": "with space" },
    ].map(
      (headers): BucketCase => ({
        bucket: "invalid_input",
        status: 400,
        when: JSON.stringify(headers).slice(0, 40),
        produce: () => invokeOn(world().app, "sandbox/open-1", Buffer.from("{}"), headers),
      }),
    ),
    ...["cursor=made-up", "cursor=", "limit=x", "limit=1.5", "limit=1&limit=2", `cursor=${"a".repeat(513)}`].map(
      (query): BucketCase => ({
        bucket: "invalid_input",
        status: 400,
        when: query.slice(0, 20),
        produce: () => readOn(world().app, `/v1/models?${query}`),
      }),
    ),
    {
      bucket: "invalid_input",
      status: 405,
      when: "another method",
      produce: () => world().app.call({ method: "DELETE", path: "/v1/models", headers: bearer(world().app.key) }),
    },
    {
      bucket: "invalid_input",
      status: 409,
      when: "the key belongs to another request",
      async produce() {
        const key = aKey();
        assert.equal((await invokeOn(world().app, "sandbox/open-1", { a: 1 }, key)).status, 200);
        return invokeOn(world().app, "sandbox/open-1", { a: 2 }, key);
      },
    },
    {
      bucket: "invalid_input",
      status: 413,
      when: "a body above the cap",
      produce: () => invokeOn(world().app, "sandbox/open-1", Buffer.alloc(21 * 1024 * 1024, 32)),
    },
  ];
}

async function mayRun(app: TestApp, workspaceId: string, body: object): Promise<void> {
  const path = `/admin/workspaces/${workspaceId}/models`;
  const changed = await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body });
  assert.equal(changed.status, 200, changed.text);
}

async function keyWithout(app: TestApp): Promise<string> {
  const body = { name: "all but models", scopes: ["partners", "registry", "workflows"] };
  const made = await app.call({ method: "POST", path: "/account/keys", headers: bearer(app.key), body });
  return textOf(made.json(), "secret");
}
