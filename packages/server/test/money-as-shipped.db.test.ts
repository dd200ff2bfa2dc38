// A server exactly as `npm start` runs it, sandbox and embedded PostgreSQL included, with one partner configured by the
// operator: which credential goes where, and what is charged. One server for the whole file.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import jsonata from "jsonata";
import { type AppClient, bearer, memberOf, openClient, textOf } from "./support/app-client.ts";
import { pixel, relightPath } from "./support/partner-app.ts";
import { partnerSecret, type ScriptedPartner, scriptedPartner } from "./support/scripted-partner.ts";
import {
  collectOutput,
  postgresPid,
  runAtelier,
  type ServerProcess,
  startServerProcess,
  until,
} from "./support/server-process.ts";

const key = "service-a-key-for-the-money-tests";
const partnerKey = "operators-own-key-of-partner-a";

const adminToken = "operators-token-of-the-money-tests-0123456789";

let refusedId: string;
let home: string;
let partner: ScriptedPartner;
let server: ServerProcess;
let client: AppClient;

before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-money-"));
  partner = await scriptedPartner();
  server = await startServerProcess({
    home,
    env: {
      ATELIER_BOOTSTRAP_KEY: key,
      ATELIER_ADMIN_TOKEN: adminToken,
      ATELIER_SANDBOX: "auto",
      ATELIER_PARTNER_A_URL: `${partner.url}/a`,
      ATELIER_PROVIDER_PARTNER_A_KEY: partnerKey,
      ATELIER_PROVIDER_PARTNER_A_SECRET: partnerSecret,
      // The credential of a partner without an address: the sandbox answers for it, and must not see this.
      ATELIER_PROVIDER_PARTNER_B_KEY: "operators-own-key-of-partner-b",
    },
  });
  client = openClient(server.baseUrl);
});

after(async () => {
  await client?.close();
  await server?.kill("SIGTERM");
  await partner?.close();
  await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const post = (path: string, body: unknown, headers = {}) =>
  client.call({ method: "POST", path, body, headers: { ...bearer(key), ...headers } });
const get = (path: string) => client.call({ path, headers: bearer(key) });

async function untilStatus(path: string, status: string, ...statusPath: readonly string[]) {
  return until(`${path} is ${status}`, async () => {
    const answer = await get(path);
    return answer.status === 200 && textOf(answer.json(), ...statusPath) === status ? answer : null;
  });
}

test("a configured partner gets its own key while the sandbox is on, and its callback is verified with its own secret", async () => {
  const started = await post(relightPath, { image: pixel });
  assert.equal(started.status, 200, started.text);
  const sent = partner.submissions.at(-1);
  assert.equal(sent?.headers["x-partner-a-api-key"], partnerKey);
  const taskId = sent?.taskId ?? "";
  partner.state(taskId, "COMPLETED", { generated: ["https://pictures.example/1.png"] });
  assert.equal(await partner.callback(taskId), 200, "signed with the configured secret");
  assert.equal(await partner.callback(taskId, { secret: "another secret" }), 403, "signed with another");
  const id = textOf(started.json(), "data", "task_id");
  await untilStatus(`${relightPath}/${id}`, "COMPLETED", "data", "status");
});

// What a node's served badge shows, in credits.
async function creditsShown(node: string, widgets: object): Promise<number> {
  const map = await client.call({ path: "/nodes/pricing/badges?app_version=nightly&platform=local" });
  const result: unknown = await jsonata(textOf(map.json(), node, "expr")).evaluate({ widgets });
  assert.equal(textOf(result, "type"), "usd");
  return Number((Number(memberOf(result, "usd")) * 211).toFixed(6));
}

const available = async () => Number(textOf((await get("/account/credits")).json(), "available"));

test("relight's badge equals the wallet's difference", async () => {
  const before = await available();
  const started = await post(relightPath, { image: pixel });
  const id = textOf(started.json(), "data", "task_id");
  partner.state(partner.submissions.at(-1)?.taskId ?? "", "COMPLETED", {
    generated: ["https://pictures.example/1.png"],
  });
  await untilStatus(`${relightPath}/${id}`, "COMPLETED", "data", "status");
  const paid = Number((before - (await available())).toFixed(6));
  assert.equal(paid, await creditsShown("PartnerARelightNode", {}));
  assert.equal(paid, 21.1);
});

test("a fresh server shows price badges: at least eighteen, at least fourteen of them to version 1.2.3 on local", async () => {
  const shown = new Set<string>();
  let local = 0;
  for (const version of ["1.1.9", "1.2.3", "1.4.0", "nightly"]) {
    for (const platform of ["cloud", "local"]) {
      const map = (
        await client.call({ path: `/nodes/pricing/badges?app_version=${version}&platform=${platform}` })
      ).json();
      const nodes = Object.entries(Object(map)).map(([node, badge]) => `${node} ${JSON.stringify(badge)}`);
      for (const node of nodes) shown.add(node);
      if (version === "1.2.3" && platform === "local") local = nodes.length;
    }
  }
  assert.ok(shown.size >= 18, `${shown.size}`);
  assert.ok(local >= 14, `${local}`);
});

const servedMap = async (version: string, platform: string): Promise<Map<string, unknown>> => {
  const answer = await client.call({ path: `/nodes/pricing/badges?app_version=${version}&platform=${platform}` });
  return new Map(Object.entries(Object(answer.json())));
};

test("a served badge begins, ends and changes with its version, and appears only on its platforms", async () => {
  const shown = async (node: string, platform: string, ...versions: string[]) =>
    Promise.all(versions.map(async (version) => (await servedMap(version, platform)).has(node)));
  assert.deepEqual(await shown("SandboxLegacyImageNode", "local", "0.0.1", "1.1.9", "1.2.0", "nightly"), [
    true,
    true,
    false,
    false,
  ]);
  assert.deepEqual(await shown("SandboxSpeechNode", "local", "1.2.9", "1.3.0", "nightly"), [false, true, true]);
  assert.deepEqual(await shown("SandboxSharedQueueNode", "cloud", "1.0.9", "1.1.0"), [false, true]);
  assert.deepEqual(await shown("SandboxSharedQueueNode", "local", "1.1.0", "nightly"), [false, false]);
  const drafts = await Promise.all(
    ["0.9.9", "1.0.0", "1.4.9", "1.5.0"].map(async (version) =>
      JSON.stringify((await servedMap(version, "local")).get("SandboxDraftVideoNode")),
    ),
  );
  assert.equal(drafts[0], undefined);
  assert.equal(drafts[1], drafts[2]);
  assert.ok(
    drafts[1] !== undefined && drafts[3] !== undefined && drafts[2] !== drafts[3],
    "another price from 1.5.0 on",
  );
});

test("a badge that an operator ended stays ended: the price's own does not replace it", async () => {
  const node = "SandboxSpeechNode";
  const admin = (path: string, body: object) =>
    client.call({ method: "POST", path, body, headers: bearer(adminToken) });
  const badge = (await servedMap("nightly", "local")).get(node);
  const made = await admin("/admin/badges", { node_id: node, platforms: ["local"], from_version: "1.3.0", badge });
  assert.equal(made.status, 201, made.text);
  const ended = await admin(`/admin/badges/${textOf(made.json(), "id")}/end`, {});
  assert.equal(ended.status, 200, ended.text);
  await until("it is gone", async () => !(await servedMap("nightly", "local")).has(node));
  assert.ok((await servedMap("nightly", "cloud")).has(node), "the other platform keeps the price's");
});

test("a partner without an address is the sandbox, with the sandbox's credential, and says so", async () => {
  const before = await available();
  const body = { prompt_text: "a boat", inference_params: { num_frames: 16, width: 64, height: 64 } };
  const started = await post("/proxy/partner-b/prompts/text-to-video", body);
  assert.equal(started.status, 201, started.text);
  await untilStatus(`/proxy/partner-b/prompts/${textOf(started.json(), "id")}`, "completed", "status");
  const paid = Number((before - (await available())).toFixed(6));
  assert.deepEqual([paid, await creditsShown("PartnerBTextToVideoNode", { num_frames: 16 })], [33.76, 33.76]);
  assert.match(server.log(), /ATELIER_PROVIDER_PARTNER_B_KEY is set, but ATELIER_PARTNER_B_URL is not/);
});

test("a refused credential is reported: the caller learns that the operator must act, log and doctor say which one and why", async () => {
  partner.reply((response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: `The key ${partnerKey} was revoked` }));
  });
  const refused = await post(relightPath, { image: pixel });
  const second = await post(relightPath, { image: pixel });
  partner.reply(null);
  assert.deepEqual([refused.status, second.status], [502, 502]);
  assert.equal(textOf(refused.json(), "error"), "provider_error");
  assert.match(textOf(refused.json(), "message"), /\(status 401\)\. Nothing was charged\. Only the operator/);
  const lines = () =>
    server
      .log()
      .split("\n")
      .filter((line) => line.includes("rejected the credential in ATELIER_PROVIDER_PARTNER_A_KEY"));
  await until("it is logged", () => lines().length > 0);
  assert.equal(lines().length, 1, "once a minute");
  assert.match(lines()[0] ?? "", /"status":401/);
  assert.match(lines()[0] ?? "", /The key \*+ was revoked/);
  const doctor = await until("it is noted", async () => {
    const { out } = await collectOutput(runAtelier(["doctor"], { ATELIER_HOME: home }));
    return out.includes("rejected ATELIER_PROVIDER_PARTNER_A_KEY") ? out : null;
  });
  assert.match(doctor, /partner partner-a rejected ATELIER_PROVIDER_PARTNER_A_KEY: 401 "The key \*+ was revoked"/);
  assert.ok(!doctor.includes(partnerKey) && !server.log().includes(partnerKey));
  refusedId = String(refused.headers["x-service-request-id"]);
});

test("requests show reports a refused credential: status, words and who must act to everybody, its variable only to operators", async () => {
  const env = {
    ATELIER_HOME: home,
    ATELIER_API_KEY: key,
    ATELIER_URL: server.baseUrl,
    ATELIER_ADMIN_TOKEN: adminToken,
  };
  const show = async (...flags: string[]) =>
    (await collectOutput(runAtelier(["requests", "show", refusedId, ...flags], env))).out;
  const shown = await show();
  assert.match(shown, /refused +by partner partner-a: 401, "The key \*+ was revoked"/);
  assert.match(shown, /advice +The provider rejected this server's account\. Only the operator/);
  assert.doesNotMatch(shown, /ATELIER_PROVIDER_/);
  assert.match(await show("--operator"), /setting +ATELIER_PROVIDER_PARTNER_A_KEY/);
  const usage = await get("/account/usage?outcome=provider_error&limit=1");
  const [row] = Object(usage.json()).data;
  assert.deepEqual([row.refused_by, row.provider_status], ["partner partner-a", 401]);
  assert.match(row.advice, /Only the operator/);
  const listed = await client.call({ path: "/admin/refused-credentials", headers: bearer(adminToken) });
  assert.match(listed.text, /"setting":"ATELIER_PROVIDER_PARTNER_A_KEY"/);
  for (const text of [shown, usage.text, listed.text]) assert.ok(!text.includes(partnerKey));
  assert.doesNotMatch(usage.text, /ATELIER_PROVIDER_/, "the setting is not the tenant's to know");
});

test("no process that the server starts has a credential in its environment, the database included", async (context) => {
  if (process.platform !== "linux") return context.skip("only Linux shows environments");
  const database = postgresPid(home);
  assert.ok(database);
  const processes = [database, ...(await descendantsOf(server.pid))];
  assert.ok(processes.length > 3, `${processes.length} processes`);
  for (const pid of processes) {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    const command = await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "");
    for (const secret of ["ATELIER_", partnerKey, key, partnerSecret])
      assert.ok(!environment.includes(secret), `${command} sees ${secret}`);
  }
});

async function descendantsOf(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => ""))
    .split(" ")
    .filter((text) => text.trim() !== "")
    .map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}
