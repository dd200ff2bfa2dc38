// A server exactly as `npm start` runs it, sandbox and embedded PostgreSQL included, with one partner configured by the
// operator: whose credential goes where, and what is charged. One server for the whole file.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type AppClient, bearer, openClient, textOf } from "./support/app-client.ts";
import { pixel, relightPath } from "./support/partner-app.ts";
import { partnerSecret, type ScriptedPartner, scriptedPartner } from "./support/scripted-partner.ts";
import { type ServerProcess, startServerProcess, until } from "./support/server-process.ts";

const key = "service-a-key-for-the-money-tests";
const partnerKey = "operators-own-key-of-partner-a";

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
      ATELIER_SANDBOX: "auto",
      ATELIER_PARTNER_A_URL: `${partner.url}/a`,
      ATELIER_PROVIDER_PARTNER_A_KEY: partnerKey,
      ATELIER_PROVIDER_PARTNER_A_SECRET: partnerSecret,
      // Of a partner without an address: the sandbox answers for it, and must not see this.
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

async function untilStatus(path: string, status: string, ...place: readonly string[]) {
  return until(`${path} is ${status}`, async () => {
    const answer = await get(path);
    return answer.status === 200 && textOf(answer.json(), ...place) === status ? answer : null;
  });
}

test("a configured partner sees its own key while the sandbox is on, and its callback is believed by its own secret", async () => {
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

test("a partner without an address is the sandbox, with the sandbox's credential, and that is said", async () => {
  const started = await post("/proxy/partner-b/prompts/text-to-video", { prompt_text: "a boat" });
  assert.equal(started.status, 201, started.text);
  await untilStatus(`/proxy/partner-b/prompts/${textOf(started.json(), "id")}`, "completed", "status");
  assert.match(server.log(), /ATELIER_PROVIDER_PARTNER_B_KEY is set, but ATELIER_PARTNER_B_URL is not/);
});
