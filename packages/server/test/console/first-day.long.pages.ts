// A separate server on its first day: every page with nothing on it yet, in every look, and the outlines of the main
// pages, empty and with the first things on them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { headerOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { requireSound } from "./every-page.long.pages.ts";
import { ended, noisyGraph, submit } from "./jobs.pages.ts";
import { requireOutline } from "./outline.ts";
import { type LookName, openScene, type Scene } from "./scene.ts";

const image = "/console/models/sandbox/image-1";
// Lists that use fills. Pages that always show something are checked with every page.
const empty: Readonly<Record<string, readonly string[]>> = {
  "/": ["/", "/?range=1h"],
  [image]: [`${image}?tab=requests`, `${image}?tab=health`],
  "/console/compare": ["/console/compare"],
  "/console/workflows": ["/console/workflows"],
  "/console/jobs": ["", "?status=active", "?status=failed"].map((query) => `/console/jobs${query}`),
  "/console/requests": ["/console/requests", "/console/requests?outcome=failed"],
  "/console/errors": ["/console/errors"],
  "/console/webhooks": ["", "?tab=endpoints", "?tab=receivers", "?tab=secrets"].map(
    (query) => `/console/webhooks${query}`,
  ),
  "/console/gallery": ["", "?view=table", "?source=upload"].map((query) => `/console/gallery${query}`),
  "/console/usage": ["/console/usage", "/console/usage?metric=p95_ms&range=1h"],
  "/console/nodes": ["/console/nodes", "/console/nodes?tab=yours"],
  "/console/badges": ["/console/badges?tab=rows", "/console/badges?tab=preview"],
  "/console/credentials": ["/console/credentials"],
  "/console/workers": ["", "?tab=deployments", "?tab=environments", "?tab=weights", "?tab=tokens"].map(
    (query) => `/console/workers${query}`,
  ),
  "/console/system": ["/console/system?tab=refused", "/console/system?tab=audit"],
};
const outlinedEmpty = ["/", "/console/jobs", "/console/requests", "/console/errors", "/console/webhooks"].concat([
  "/console/gallery",
  "/console/nodes?tab=yours",
  "/console/credentials",
]);
const outlined = [
  ...outlinedEmpty.slice(0, 6),
  "/console/models",
  image,
  "/console/workflows",
  "/console/usage",
].concat(["/profile/api-keys", "/console/badges", "/console/members", "/console/providers", "/console/system"]);

export function firstDayPages(): void {
  describe("the first day of a server", () => {
    let scene: Scene;
    before(async () => {
      scene = await openScene();
    });
    after(() => scene.close());

    for (const look of ["light", "dark", "phone"] satisfies LookName[])
      for (const [route, paths] of Object.entries(empty))
        test(`${look}: ${route} when empty`, async () => {
          const visit = await scene.visit(look);
          for (const path of paths) await requireSound(visit, path, "empty");
          await visit.close();
        });

    for (const path of outlinedEmpty)
      test(`${path} has the same structure when empty`, () => requireOutlineAt(scene, path, "empty"));

    test("the first things are created", async () => {
      const job = await ended(scene, (await submit(scene, noisyGraph(41), { shot: "first day" })).id);
      assert.equal(job.status, "succeeded");
      await requireOutlineAt(scene, `/console/jobs/${job.id}`, "job");
      await requireOutlineAt(scene, `/console/jobs/${job.id}?tab=outputs`, "job");
      const { server, sink } = scene;
      await server.call({ method: "POST", path: "/account/webhooks/test", body: { url: `${sink.url}/first` } });
      const call = (prompt: unknown) =>
        server.call({ method: "POST", path: "/v1/models/sandbox/image-1", body: { prompt, seed: 1 } });
      for (const answer of [await call("the first"), await call(7)])
        await until("it is written down", async () => {
          const path = `/account/requests/${headerOf(answer, "x-service-request-id")}`;
          return (await server.call({ path })).status === 200;
        });
    });

    for (const path of outlined)
      test(`${path} has the same structure with the first things on it`, () =>
        requireOutlineAt(scene, path, "with-things"));
  });
}

async function requireOutlineAt(scene: Scene, path: string, kind: string): Promise<void> {
  const visit = await scene.visit();
  await visit.open(path);
  await visit.page.locator("[class*=skeleton]").first().waitFor({ state: "detached" });
  const named = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "").replace(/^\/(console|profile)?/, "");
  await requireOutline(visit, `${kind}-${named.replaceAll(/\W+/g, "-") || "overview"}`.replaceAll(/-+(?=-|$)/g, ""));
  await visit.close();
}
