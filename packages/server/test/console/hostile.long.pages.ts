// Hostile texts in everything that a person, a publisher, a provider or a worker can name, and every page that shows
// them: nothing runs, nothing is requested elsewhere, no link leads into a script, and nothing breaks the layout on a
// phone.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { Work } from "@atelier/contract";
import { headerOf, textOf } from "../support/app-client.ts";
import { aBadgeRow } from "../support/example-calls.ts";
import { until } from "../support/server-process.ts";
import { routesOfConsole } from "./console-routes.ts";
import { addressesOf, adminOf, makeThings, type Things } from "./every-page.ts";
import { ended, noisyGraph, submit } from "./jobs.pages.ts";
import type { LookName, Scene, Visit } from "./scene.ts";
import { makeWork } from "./works.pages.ts";

const run = "window.wasRun=1";
const tag = `<img src=x onerror=${run}>"><script>${run}</script>`;
const reversed = "\u202Egnp.exe\u202C";
const link = `javascript:${run}`;
// One endless word, as long as the server accepts. Names cannot contain characters that reverse a line's direction.
const name = tag.padEnd(100, "W");
const long = (most: number) => `${tag}${reversed}`.slice(0, most).padEnd(most, "W");

interface Hostile extends Things {
  readonly longJob: string;
  readonly failedRequest: string;
  readonly workId: string;
}

export function hostilePages(scene: () => Scene): void {
  describe("hostile texts", () => {
    let things: Hostile;
    before(async () => {
      things = await makeHostile(scene());
    });

    for (const look of ["phone", "light"] satisfies LookName[])
      for (const route of routesOfConsole())
        test(`${look}: ${route} shows them as text and keeps its shape`, async () => {
          const visit = await scene().visit(look);
          visit.page.on("dialog", (dialog) => {
            visit.complaints.push(`dialog: ${dialog.message()}`);
            void dialog.dismiss();
          });
          for (const path of pathsOf(things, route)) {
            await visit.open(path);
            await requireHarmless(visit, path);
          }
          await visit.close();
        });

    test("the page stays fast with megabytes of text and JSON output", () => largeOutputs(scene()));
  });
}

function pathsOf(things: Hostile, route: string): readonly string[] {
  const { longJob, failedRequest } = things;
  const own = addressesOf(things)[route] ?? [];
  if (route === "/console/jobs/$jobId")
    return [...own, `/console/jobs/${longJob}`, `/console/jobs/${longJob}?tab=graph`];
  if (route === "/console/requests/$requestId") return [...own, `/console/requests/${failedRequest}`];
  if (route === "/sign-in") return [`/sign-in?problem=${encodeURIComponent(tag)}&request=${encodeURIComponent(tag)}`];
  if (route === "/sign-in/$token") return [`/sign-in/${encodeURIComponent(tag)}`];
  if (route === "/w/$provider/$name") return [`/w/${things.workId}`, `/w/w.nobody/${encodeURIComponent(tag)}`];
  // The text in an address comes from a stranger too.
  if (route === "/console/jobs") return [...own, `/console/jobs?q=${encodeURIComponent(long(300))}`];
  if (route === "/console/models") return [...own, `/console/models?q=${encodeURIComponent(long(300))}`];
  return own;
}

async function requireHarmless({ page, picture, complaints }: Visit, path: string): Promise<void> {
  await picture(
    `hostile-${path
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
      .replaceAll(/[^a-z0-9]+/g, "-")
      .slice(0, 80)}`,
  );
  const found = await page.evaluate<{ ran: unknown; made: number; links: string[]; over: number; widest: string }>(`({
    ran: window.wasRun ?? null,
    made: document.querySelectorAll("img[src=x], main script").length,
    links: [...document.querySelectorAll("a[href], area[href], form[action]")]
      .map((each) => each.getAttribute("href") ?? each.getAttribute("action") ?? "").filter((to) => /^\\s*(javascript|data|vbscript):/i.test(to)),
    over: document.documentElement.scrollWidth - innerWidth,
    widest: document.documentElement.scrollWidth <= innerWidth ? "" : [...document.querySelectorAll("main *")]
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((each) => each.outerHTML.slice(0, 160)).join(" | "),
  })`);
  assert.deepEqual([found.ran, found.made, found.links], [null, 0, []], path);
  assert.ok(found.over <= 0, `${path} scrolls sideways by ${found.over}: ${found.widest}`);
  assert.deepEqual(complaints, [], path);
}

async function makeHostile(scene: Scene): Promise<Hostile> {
  const { server } = scene;
  const things = await makeThings(scene);
  const admin = await adminOf(scene);
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}, method = "POST") => {
    const answer = await server.call({ method, path, body, headers });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  // The workspace, its people and its keys.
  await post(`/account/workspaces/${things.workspace}`, { name }, {}, "PATCH");
  await post(`/account/workspaces/${things.workspace}/members`, { name });
  const key = await post("/account/keys", { name });
  // A job: its label, the titles of its nodes, the names of its files.
  const graph = noisyGraph(77);
  for (const node of Object.values(graph)) node._meta = { title: long(400) };
  const saved = graph["4"] ?? assert.fail();
  saved.inputs["filename_prefix"] = `${reversed}img src=x onerror=${run}`;
  const job = (await submit(scene, graph, { note: tag, shot: long(200) })).id;
  const { outputs } = await ended(scene, job);
  const longJob = (await submit(scene, noisyGraph(78), long(1_000))).id;
  // A call with the hostile key name and a hostile idempotency key, and one that is refused.
  const caller = { authorization: `Bearer ${textOf(key.json(), "secret")}` };
  const model = "/v1/models/sandbox/text-1";
  const ran = await post(model, { prompt: long(2_000) }, { ...caller, "idempotency-key": tag.replaceAll(" ", "_") });
  const refused = await server.call({ method: "POST", path: model, headers: caller, body: { prompt: { [tag]: tag } } });
  const [request, failedRequest] = [ran, refused].map((each) => headerOf(each, "x-service-request-id") ?? "");
  for (const id of [request, failedRequest])
    await until("it is written", async () => (await server.call({ path: `/account/requests/${id}` })).status === 200);
  const { id: workId, name: work } = await makeHostileWork(scene);
  await makeRegistry(scene, post, admin);
  await makeOperated(scene, post, admin);
  return {
    ...things,
    job,
    longJob,
    asset: outputs[0]?.id ?? things.asset,
    request: request ?? "",
    failedRequest: failedRequest ?? "",
    node: "hostile-node",
    work,
    workId,
  };
}

// Everything about a work that its publisher can write.
function makeHostileWork(scene: Scene): Promise<Work> {
  const said = { label: name, description: long(900), group: name };
  return makeWork(scene, `hostile-${randomUUID().slice(0, 8)}`, {
    title: name,
    description: long(900),
    note: long(500),
    form: {
      inputs: [
        { name: "seed", node: "2", input: "seed", kind: "integer", random: true, ...said },
        { name: "prefix", node: "4", input: "filename_prefix", kind: "text", default: `${tag.slice(0, 30)}`, ...said },
      ],
      outputs: [{ name: "picture", node: "4", label: name, description: long(900) }],
    },
    examples: [{ title: name, inputs: {} }],
  });
}

type Post = (path: string, body: unknown, headers?: Record<string, string>, method?: string) => Promise<unknown>;

async function makeRegistry({ server }: Scene, post: Post, admin: Record<string, string>): Promise<void> {
  await post("/publishers", { id: "hostile-publisher", name, description: long(500) });
  await post("/publishers/hostile-publisher/nodes", {
    id: "hostile-node",
    name,
    description: long(900),
    author: long(200),
    license: long(100),
    tags: [tag, reversed],
  });
  // Addresses that are not web addresses are refused or kept as text; what is kept must not become a link.
  for (const name of ["repository", "icon", "banner_url"])
    await server.call({
      method: "PUT",
      path: "/publishers/hostile-publisher/nodes/hostile-node",
      body: { [name]: link },
    });
  const expr = JSON.stringify({ type: "text", text: long(200) });
  await post("/admin/badges", aBadgeRow(`Node<img src=x onerror=${run}>${randomUUID()}`, expr), admin);
}

async function makeOperated({ sink, server }: Scene, post: Post, admin: Record<string, string>): Promise<void> {
  await post("/admin/deployments", { name, environment: { engine: "embedded" }, workers_max: 1 }, admin);
  await post("/admin/worker-tokens", { name }, admin);
  await post("/admin/tokens", { name }, admin);
  await post("/account/webhooks/test", { url: `${sink.url}/${encodeURIComponent(long(300))}` });
  const assets = await server.call({ path: "/api/v2/assets?limit=1" });
  assert.equal(assets.status, 200);
}

// The longest time between two frames of the page while something happens.
async function stallDuring({ page }: Visit, act: () => Promise<void>): Promise<number> {
  await page.evaluate(`{
    window.longestStall = 0;
    let last = performance.now();
    const look = () => { const now = performance.now(); window.longestStall = Math.max(window.longestStall, now - last); last = now; requestAnimationFrame(look); };
    requestAnimationFrame(look);
  }`);
  await act();
  return page.evaluate<number>("window.longestStall");
}

async function largeOutputs(scene: Scene): Promise<void> {
  const visit = await scene.visit();
  const { page } = visit;
  await visit.open("/console/gallery?source=upload");
  const rows = Array.from({ length: 60_000 }, (_, at) => ({
    at,
    words: "a row of a large file",
    nested: { deep: [at, at] },
  }));
  const files = [
    { name: "large.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(rows)) },
    { name: "large.txt", mimeType: "text/plain", buffer: Buffer.from("one very long line ".repeat(250_000)) },
  ];
  for (const file of files) {
    await page.getByLabel("Files to upload").setInputFiles(file);
    await page.locator("[data-upload=done], [data-upload=here]").filter({ hasText: file.name }).waitFor();
  }
  for (const { name, buffer } of files) {
    assert.ok(buffer.length > 3_000_000, `${name} is large`);
    const stall = await stallDuring(visit, async () => {
      await page
        .getByRole("link", { name: new RegExp(`^${name}`) })
        .first()
        .click();
      await page.getByText(/^The first/).waitFor();
      await visit.picture(`hostile-${name}`);
    });
    assert.ok(stall < 4_000, `${name} held the page up for ${stall} ms`);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await visit.close();
}
