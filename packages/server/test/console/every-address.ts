// Every page of the console by its route, with the addresses at which it is checked. The routes are read from the
// router's sources, so a page that is added there must be added here.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { headerOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { ended, failingGraph, noisyGraph, submit } from "./jobs.pages.ts";
import { makeSaved } from "./saved.pages.ts";
import type { Scene } from "./scene.ts";
import { makeWork } from "./works.pages.ts";

export interface Made {
  readonly job: string;
  readonly failedJob: string;
  readonly request: string;
  readonly pictures: readonly [string, string];
  readonly delivery: string;
  readonly node: string;
  readonly workspace: string;
  readonly workflow: string;
  readonly work: { readonly id: string; readonly name: string };
}

export async function makeThings(scene: Scene): Promise<Made> {
  const { server, sink } = scene;
  const post = async (path: string, body: unknown, status: number) => {
    const answer = await server.call({ method: "POST", path, body });
    assert.equal(answer.status, status, answer.text);
    return answer;
  };
  const jobs = await Promise.all(
    [noisyGraph(31), noisyGraph(32), failingGraph()].map((graph) => submit(scene, graph, { shot: "every page" })),
  );
  const [one, other, failed] = await Promise.all(jobs.map(({ id }) => ended(scene, id)));
  const ran = await post("/v1/models/sandbox/image-1", { prompt: "a page", seed: 1 }, 200);
  await post("/v1/models/sandbox/image-1", { prompt: 7 }, 422);
  const request = headerOf(ran, "x-service-request-id") ?? "";
  await until("it is written down", async () => {
    return (await server.call({ path: `/account/requests/${request}` })).status === 200;
  });
  // More than pictures: a file whose tile has letters, a member who has not signed in, a job's delivery.
  await uploadText(scene, "README.md");
  const notified = { workflow: noisyGraph(33), webhook_url: `${sink.url}/job` };
  await ended(scene, textOf((await post("/api/v2/jobs", notified, 201)).json(), "id"));
  const delivery = textOf((await post("/account/webhooks/test", { url: `${sink.url}/every` }, 202)).json(), "id");
  const publisher = `pages-${randomUUID().slice(0, 8)}`;
  await post("/publishers", { id: publisher, name: "Every page" }, 201);
  const node = `${publisher}-node`;
  await post(
    `/publishers/${publisher}/nodes`,
    { id: node, name: "Every node", description: "Seen from all sides." },
    201,
  );
  const workspace = textOf((await server.call({ path: "/account" })).json(), "workspace", "id");
  await post(`/account/workspaces/${workspace}/members`, { name: "Invited" }, 201);
  const pictureOf = (job: typeof one) => job?.outputs[0]?.id ?? assert.fail("a job without a picture");
  return {
    job: one?.id ?? "",
    failedJob: failed?.id ?? "",
    request,
    pictures: [pictureOf(one), pictureOf(other)],
    delivery,
    node,
    workspace,
    workflow: await makeSaved(scene, `Every page ${randomUUID().slice(0, 8)}`),
    work: await makeWork(scene, `every-page-${randomUUID().slice(0, 8)}`),
  };
}

export async function uploadText({ server }: Scene, name: string): Promise<void> {
  const form = new FormData();
  form.set("content_type", "text/markdown");
  form.set("file_path", name);
  // Another walk on this server must not have stored the same bytes.
  const text = `# Walked\n\n${randomUUID()}`;
  form.set("file", new Blob([text], { type: "text/markdown" }), name);
  const headers = { authorization: `Bearer ${server.key}` };
  const answer = await fetch(`${server.baseUrl}/api/v2/assets`, { method: "POST", headers, body: form });
  assert.equal(answer.status, 201, await answer.text());
}

const image = "/console/models/sandbox/image-1";
const withTabs = (path: string, ...queries: readonly string[]) => [path, ...queries.map((query) => `${path}?${query}`)];

export const addressesOf: Readonly<Record<string, (made: Made) => readonly string[]>> = {
  "/": () => ["/", "/?range=1h"],
  // Leads to the overview.
  "/console": () => [],
  "/console/models": () => withTabs("/console/models", "provider=sandbox", "q=nothing-is-called-this"),
  "/console/models/$provider/$model": () => [
    ...withTabs(image, "view=json", "view=code&lang=python", "tab=api", "tab=requests", "tab=health"),
    "/console/models/sandbox/open-1",
    "/console/models/sandbox/none",
  ],
  "/console/compare": () => withTabs("/console/compare", "models=sandbox/image-1,sandbox/text-1"),
  "/console/workflows": ({ job }) =>
    withTabs("/console/workflows", "example=first-picture", `job=${job}`, "q=nothing-is-called-this", "archived=true"),
  "/console/workflows/$workflowId": ({ workflow }) =>
    withTabs(`/console/workflows/${workflow}`, "tab=form", "tab=history", "tab=history&from=1&to=1"),
  "/console/templates": () => withTabs("/console/templates", "state=runs", "q=nothing-is-called-this"),
  "/console/works": () => withTabs("/console/works", "q=nothing-is-called-this"),
  "/console/works/$name": ({ work }) =>
    withTabs(`/console/works/${work.name}`, "tab=versions", "tab=links", "lang=cli"),
  "/w/$provider/$name": ({ work }) => [`/w/${work.id}`, "/w/w.nobody/nothing"],
  "/console/classes": () => withTabs("/console/classes", "q=image&class=ImageScale", "q=nothing-is-called-this"),
  "/console/jobs": () => withTabs("/console/jobs", "status=failed", "q=nothing-is-called-this"),
  "/console/jobs/$jobId": ({ job, failedJob, pictures: _, ...made }) => [
    ...withTabs(
      `/console/jobs/${job}`,
      ...["graph", "timeline", "outputs", "code"].map((tab) => `tab=${tab}`),
      `tab=workflow&diff=${failedJob}`,
    ),
    `/console/jobs/${failedJob}`,
    `/console/jobs/${made.delivery}`,
  ],
  "/console/requests": ({ request }) => withTabs("/console/requests", `peek=${request}`, "outcome=failed"),
  "/console/requests/$requestId": ({ request }) => [`/console/requests/${request}`],
  "/console/errors": () => ["/console/errors"],
  "/console/webhooks": ({ delivery }) =>
    withTabs("/console/webhooks", "tab=endpoints", "tab=receivers", "tab=secrets", `delivery=${delivery}`),
  "/console/gallery": ({ pictures }) =>
    withTabs(
      "/console/gallery",
      "view=table",
      "source=upload",
      `asset=${pictures[0]}`,
      `compare=${pictures.join(",")}`,
      `compare=${pictures.join(",")}&mode=difference`,
    ),
  "/console/usage": () => withTabs("/console/usage", "by=subject&metric=credits&range=24h", "metric=p95_ms&range=1h"),
  "/profile/api-keys": () => withTabs("/profile/api-keys", "new=true"),
  "/console/credentials": () => ["/console/credentials"],
  "/console/members": () => withTabs("/console/members", "tab=services", "tab=keeping"),
  "/console/plans": () => withTabs("/console/plans", "tab=sales"),
  "/console/nodes": () => withTabs("/console/nodes", "tab=yours", "q=nothing-is-called-this"),
  "/console/nodes/$nodeId": ({ node }) => withTabs(`/console/nodes/${node}`, "tab=classes"),
  "/console/badges": () => withTabs("/console/badges", "tab=preview", "tab=rows"),
  "/console/system": () => withTabs("/console/system", "tab=background", "tab=refused", "tab=audit"),
  "/console/metrics": () => withTabs("/console/metrics", "span=hour", "span=week", "span=month"),
  "/console/backups": () => ["/console/backups"],
  "/console/settings": () =>
    withTabs("/console/settings", "q=database", "source=environment", "q=nothing-is-called-this"),
  "/console/providers": () => withTabs("/console/providers", "provider=sandbox", "provider=luma", "find=zzz"),
  "/console/providers/definition": () => withTabs("/console/providers/definition", "provider=luma"),
  "/console/workers": () =>
    withTabs("/console/workers", "tab=deployments", "tab=environments", "tab=weights", "tab=tokens"),
  "/console/workspaces": ({ workspace }) =>
    withTabs(
      "/console/workspaces",
      ...["credits", "limits", "models"].map((tab) => `workspace=${workspace}&tab=${tab}`),
    ),
  "/console/you": () => withTabs("/console/you", "tab=data"),
  "/sign-in": () => withTabs("/sign-in", "problem=not_allowed&request=26746c6d-454a-420c-aa81-1c118dc59698"),
  "/sign-in/$token": () => [`/sign-in/${"x".repeat(43)}`],
};
