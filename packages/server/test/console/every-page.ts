// Every console address that the fault tests walk through. The routes are read from the console's own sources: a page
// that is added there and not here fails the walk.
import assert from "node:assert/strict";
import { textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { pictureOf } from "./gallery.pages.ts";
import { makeSaved } from "./saved.pages.ts";
import type { Scene } from "./scene.ts";
import { makeWork } from "./works.pages.ts";

// The things that pages show: one of each, created over HTTP.
export interface Things {
  readonly asset: string;
  readonly otherAsset: string;
  readonly job: string;
  readonly request: string;
  readonly delivery: string;
  readonly node: string;
  readonly workspace: string;
  readonly workflow: string;
  // The second half of its id.
  readonly work: string;
}

const model = "/v1/models/sandbox/image-1";

export async function makeThings(scene: Scene): Promise<Things> {
  const { server, sink } = scene;
  const ask = async (path: string) => (await server.call({ path })).json();
  const [asset, otherAsset] = [await pictureOf(scene, 0x335577, "one"), await pictureOf(scene, 0x775533, "other")];
  const job = textOf(await ask(`/api/v2/assets/${asset}`), "job_id");
  const headers = { "x-service-webhook-url": `${sink.url}/things` };
  const ran = await server.call({ method: "POST", path: `${model}/requests`, headers, body: { prompt: "a thing" } });
  const request = textOf(ran.json(), "request_id");
  const deliveries = "/account/webhooks/deliveries?limit=1";
  const first = (text: string) => (JSON.parse(text) as { data: { id: string }[] }).data[0]?.id;
  await until("its end is told", async () => first((await server.call({ path: deliveries })).text) !== undefined);
  const delivery = first((await server.call({ path: deliveries })).text) ?? "";
  await until("its request is written", async () => {
    return (await server.call({ path: `/account/requests/${request}` })).status === 200;
  });
  const workspace = textOf(await ask("/account"), "workspace", "id");
  const workflow = await makeSaved(scene, `Walked ${Date.now()}`);
  const { name: work } = await makeWork(scene, `walked-${Date.now()}`);
  return { asset, otherAsset, job, request, delivery, node: await makeNode(scene), workspace, workflow, work };
}

async function makeNode({ server }: Scene): Promise<string> {
  const post = (path: string, body: unknown) => server.call({ method: "POST", path, body });
  await post("/publishers", { id: "walker", name: "Walker" });
  await post("/publishers/walker/nodes", {
    id: "walked-node",
    name: "Walked",
    description: "Something that is walked.",
  });
  return "walked-node";
}

// By route. Parts of a page that make requests of their own have separate addresses.
export function addressesOf(things: Things): Readonly<Record<string, readonly string[]>> {
  const { asset, otherAsset, job, request, delivery, node, workspace, workflow, work } = things;
  const tabs = (path: string, ...names: readonly string[]) => [path, ...names.map((name) => `${path}?tab=${name}`)];
  return {
    "/": ["/"],
    // Leads to the overview.
    "/console": [],
    "/console/models": ["/console/models"],
    "/console/models/$provider/$model": tabs("/console/models/sandbox/image-1", "api", "requests", "health"),
    "/console/compare": ["/console/compare?models=sandbox/image-1,sandbox/image-1-queued"],
    "/console/workflows": ["/console/workflows", `/console/workflows?job=${job}`],
    "/console/workflows/$workflowId": tabs(`/console/workflows/${workflow}`, "form", "history"),
    "/console/templates": ["/console/templates"],
    "/console/works": ["/console/works"],
    "/console/works/$name": tabs(`/console/works/${work}`, "versions", "links"),
    "/console/classes": ["/console/classes", "/console/classes?class=SaveImage"],
    "/console/jobs": ["/console/jobs"],
    "/console/jobs/$jobId": tabs(`/console/jobs/${job}`, "live", "graph", "timeline", "workflow", "code"),
    "/console/requests": ["/console/requests", `/console/requests?peek=${request}`],
    "/console/requests/$requestId": [`/console/requests/${request}`],
    "/console/errors": ["/console/errors"],
    "/console/webhooks": [
      ...tabs("/console/webhooks", "endpoints", "receivers", "secrets"),
      `/console/webhooks?delivery=${delivery}`,
    ],
    "/console/gallery": [
      "/console/gallery",
      "/console/gallery?view=table",
      `/console/gallery?asset=${asset}`,
      `/console/gallery?compare=${asset},${otherAsset}`,
    ],
    "/console/nodes": tabs("/console/nodes", "yours"),
    "/console/nodes/$nodeId": tabs(`/console/nodes/${node}`, "classes"),
    "/console/badges": [...tabs("/console/badges", "rows"), "/console/badges?tab=preview&node=AtelierModelImage"],
    "/console/usage": ["/console/usage"],
    "/profile/api-keys": ["/profile/api-keys"],
    "/console/credentials": ["/console/credentials"],
    "/console/plans": tabs("/console/plans", "sales"),
    "/console/members": tabs("/console/members", "services", "keeping"),
    "/console/you": tabs("/console/you", "data"),
    "/console/system": tabs("/console/system", "background", "refused", "audit"),
    "/console/metrics": ["/console/metrics"],
    "/console/backups": ["/console/backups"],
    "/console/settings": ["/console/settings"],
    "/console/providers": ["/console/providers", "/console/providers?provider=sandbox"],
    "/console/providers/definition": ["/console/providers/definition", "/console/providers/definition?provider=luma"],
    "/console/workers": tabs("/console/workers", "deployments", "environments", "weights", "tokens"),
    "/console/workspaces": [
      "/console/workspaces",
      `/console/workspaces?workspace=${workspace}`,
      `/console/workspaces?workspace=${workspace}&tab=limits`,
      `/console/workspaces?workspace=${workspace}&tab=models`,
    ],
    // Has words of its own for people who know no status codes, and a suite of its own.
    "/w/$provider/$name": [],
    // Neither requests anything that a person could be refused: they are the way in, and have their own suite.
    "/sign-in": [],
    "/sign-in/$token": [],
  };
}

// As the operator of the machine: with one token for each server, because names of tokens are taken once.
export function adminOf(scene: Scene): Promise<Record<string, string>> {
  const made = adminsOf.get(scene.server) ?? makeAdmin(scene);
  adminsOf.set(scene.server, made);
  // One failure is the failure of one test.
  made.catch(() => adminsOf.delete(scene.server));
  return made;
}

const adminsOf = new WeakMap<Scene["server"], Promise<Record<string, string>>>();

async function makeAdmin(scene: Scene): Promise<Record<string, string>> {
  const visit = await scene.visit();
  await visit.open("/console/you");
  const made = await visit.page.evaluate<{ step: string; status: number; text: string }>(`(async () => {
    const minted = await fetch("/account/tokens", { method: "POST" });
    if (!minted.ok) return { step: "POST /account/tokens", status: minted.status, text: await minted.text() };
    const headers = { authorization: "Bearer " + (await minted.json()).token, "content-type": "application/json" };
    const made = await fetch("/admin/tokens", { method: "POST", headers, body: '{"name":"a test"}' });
    return { step: "POST /admin/tokens", status: made.status, text: await made.text() };
  })()`);
  await visit.close();
  assert.equal(made.status, 201, `${made.step}: ${made.status} ${made.text}`);
  return { authorization: `Bearer ${textOf(JSON.parse(made.text), "secret")}` };
}
