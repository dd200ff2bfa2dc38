// A whole app with two scripted partners and a receiver of its webhooks.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { allInvariants } from "../../src/processes/invariants.ts";
import { type AppAnswer, bearer, memberOf, textOf } from "./app-client.ts";
import { raiseRates } from "./app-people.ts";
import { type ScriptedPartner, scriptedPartner } from "./scripted-partner.ts";
import { until } from "./server-process.ts";
import { type TestApp, type TestAppOptions, testApp } from "./test-app.ts";

export const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export interface ReceivedHook {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface HookReceiver {
  readonly url: string;
  readonly target: string;
  readonly hooks: ReceivedHook[];
  close(): Promise<void>;
}

export async function hookReceiver(): Promise<HookReceiver> {
  const hooks: ReceivedHook[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    hooks.push({ headers, text, value: JSON.parse(text) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const target = `127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    url: `http://${target}/hook`,
    target,
    hooks,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface PartnerApp {
  readonly app: TestApp;
  readonly partner: ScriptedPartner;
  readonly receiver: HookReceiver;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<AppAnswer>;
  relight(more?: object, headers?: Record<string, string>): Promise<AppAnswer>;
  prompt(more?: object, headers?: Record<string, string>): Promise<AppAnswer>;
  read(path: string, key?: string): Promise<AppAnswer>;
  // The partner's id for our task.
  partnerTaskOf(answer: AppAnswer): string;
  wallet(): Promise<{ readonly available: number; readonly held: number; readonly inFlight: number }>;
  untilStatus(path: string, status: string): Promise<AppAnswer>;
  // Checks that every invariant of the system holds.
  invariantsHold(): Promise<void>;
  close(): Promise<void>;
}

export const relightPath = "/proxy/partner-a/v1/ai/image-relight";
export const promptPath = "/proxy/partner-b/prompts/text-to-video";

export async function partnerApp(options: TestAppOptions = {}): Promise<PartnerApp> {
  const partner = await scriptedPartner();
  const receiver = await hookReceiver();
  const app = await testApp({
    ...options,
    env: { ...partner.env, ATELIER_WEBHOOK_TARGETS: receiver.target, ...options.env },
    credentials: { ...partner.credentials, ...options.credentials },
  });
  await raiseRates(app, app.workspaceId);
  const post: PartnerApp["post"] = (path, body, headers = {}) =>
    app.call({
      method: "POST",
      path,
      body,
      headers: { ...bearer(app.key), "content-type": "application/json", ...headers },
    });
  const read = (path: string, key = app.key) => app.call({ path, headers: bearer(key) });
  const wallet = async () => {
    const credits = (await read("/account/credits")).json();
    return {
      available: Number(textOf(credits, "available")),
      held: Number(textOf(credits, "held")),
      inFlight: Number(memberOf(credits, "in_flight")),
    };
  };
  return {
    app,
    partner,
    receiver,
    post,
    read,
    wallet,
    relight: (more = {}, headers = {}) => post(relightPath, { image: pixel, ...more }, headers),
    prompt: (more = {}, headers = {}) => post(promptPath, { prompt_text: "a boat", ...more }, headers),
    partnerTaskOf(answer) {
      const id = taskIdOf(answer);
      const found = partner.submissions.find(({ headers }) => headers["x-request-reference"] === id);
      assert.ok(found, `nothing reached the partner under ${id}`);
      return found.taskId;
    },
    untilStatus: (path, status) =>
      until(`${path} is ${status}`, async () => {
        const answer = await read(path);
        return answer.text.includes(`"status":"${status}"`) ? answer : null;
      }),
    async invariantsHold() {
      for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
    },
    async close() {
      await app.close();
      await receiver.close();
      await partner.close();
    },
  };
}

export function taskIdOf(answer: AppAnswer): string {
  const value = answer.json();
  const data = memberOf(value, "data");
  return data === undefined ? textOf(value, "id") : textOf(data, "task_id");
}
