// Two scripted partners on loopback: tasks keep their state until the test moves them, and callbacks leave when the test
// says so. Everything received is kept, byte for byte.
import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { request } from "undici";

export interface PartnerSubmission {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly taskId: string;
  readonly webhookUrl: string | null;
}

export interface CallbackOptions {
  readonly eventId?: string;
  readonly secret?: string;
  readonly ageSeconds?: number;
  // An address other than the one in the submission.
  readonly url?: string;
}

// How the next submissions are answered, instead of with a task.
export type ScriptedReply = (response: ServerResponse, submission: PartnerSubmission) => void;

export interface ScriptedPartner {
  readonly url: string;
  readonly submissions: PartnerSubmission[];
  readonly reads: Map<string, number>;
  connections(): number;
  // Answers the next submission with this. With `isTaken`, the task exists all the same.
  reply(reply: ScriptedReply | null, isTaken?: boolean): void;
  // Answers reads with this instead.
  readReply(reply: ((response: ServerResponse) => void) | null): void;
  state(taskId: string, status: string, more?: object): void;
  forget(taskId: string): void;
  callback(taskId: string, options?: CallbackOptions): Promise<number>;
  // Settings and credentials for an app that uses it.
  readonly env: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const partnerSecret = "a secret of the partner's";

interface ScriptedTask {
  readonly isA: boolean;
  readonly submission: PartnerSubmission;
  status: string;
  more: object;
}

export async function scriptedPartner(): Promise<ScriptedPartner> {
  const submissions: PartnerSubmission[] = [];
  const tasks = new Map<string, ScriptedTask>();
  const reads = new Map<string, number>();
  let connections = 0;
  let reply: ScriptedReply | null = null;
  let isTaken = false;
  let readReply: ((response: ServerResponse) => void) | null = null;

  const shown = (id: string, task: ScriptedTask) => {
    if (task.isA) return { task_id: id, status: task.status, generated: [], ...task.more };
    const { inference_params = {}, prompt_text = "" } = JSON.parse(task.submission.body.toString());
    return { id, status: task.status, prompt_text, inference_params, model_params: { model: "film" }, ...task.more };
  };
  // The partner copies what was sent, so no digits are lost.
  const textOf = (id: string, task: ScriptedTask, isWrapped: boolean) => {
    const seed = /"seed"\s*:\s*(-?\d+)/.exec(task.submission.body.toString())?.[1];
    const plain = JSON.stringify(isWrapped && task.isA ? { data: shown(id, task) } : shown(id, task));
    return seed === undefined ? plain : plain.replace(/"seed":-?[\d.e+]+/, `"seed":${seed}`);
  };
  const answer = (response: ServerResponse, status: number, text: string) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(text);
  };

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const path = incoming.url ?? "";
    const isA = path.startsWith("/a/");
    if (incoming.method === "POST") {
      const taskId = randomUUID();
      const webhookUrl = /"webhook_url"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body.toString())?.[1];
      const submission: PartnerSubmission = {
        path,
        headers: incoming.headers,
        body,
        taskId,
        webhookUrl: webhookUrl === undefined ? null : JSON.parse(webhookUrl),
      };
      submissions.push(submission);
      const task: ScriptedTask = { isA, submission, status: isA ? "CREATED" : "pending", more: {} };
      if (reply === null || isTaken) tasks.set(taskId, task);
      if (reply !== null) return reply(response, submission);
      return answer(response, isA ? 200 : 201, textOf(taskId, task, true));
    }
    const taskId = path.split("/").at(-1) ?? "";
    reads.set(taskId, (reads.get(taskId) ?? 0) + 1);
    if (readReply !== null) return readReply(response);
    const task = tasks.get(taskId);
    if (!task) return answer(response, 404, isA ? "" : '{"error":{"code":"not_found","message":"none"}}');
    answer(response, 200, textOf(taskId, task, true));
  }

  // Tests count connections, so an idle one is never closed: only a new peer or a broken one opens another.
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => void handle(incoming, response));
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    url,
    submissions,
    reads,
    connections: () => connections,
    reply(next, taken = false) {
      reply = next;
      isTaken = taken;
    },
    readReply(next) {
      readReply = next;
    },
    state(taskId, status, more = {}) {
      const task = tasks.get(taskId);
      if (task) Object.assign(task, { status, more });
    },
    forget: (taskId) => void tasks.delete(taskId),
    async callback(taskId, options = {}) {
      const task = tasks.get(taskId);
      const to = options.url ?? task?.submission.webhookUrl;
      if (!task || !to) throw new Error("there is nobody to call back");
      const body = textOf(taskId, task, false);
      const id = options.eventId ?? randomUUID();
      const timestamp = String(Math.floor(Date.now() / 1000) - (options.ageSeconds ?? 0));
      const key = options.secret ?? partnerSecret;
      const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
      const sent = await request(to, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,AAAA v1,${signature}`,
        },
      });
      await sent.body.dump();
      return sent.statusCode;
    },
    env: { ATELIER_PARTNER_A_URL: `${url}/a`, ATELIER_PARTNER_B_URL: `${url}/b` },
    credentials: {
      ATELIER_PROVIDER_PARTNER_A_KEY: "key-of-a",
      ATELIER_PROVIDER_PARTNER_A_SECRET: partnerSecret,
      ATELIER_PROVIDER_PARTNER_B_KEY: "key-of-b",
      ATELIER_PROVIDER_PARTNER_B_SECRET: partnerSecret,
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
