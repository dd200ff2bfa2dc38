// A safety hook as an operator would write one: it checks every signature, records what it was asked, and answers as the test says.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

export interface AskedQuestion {
  readonly webhookId: string;
  readonly text: string;
  readonly value: Record<string, unknown>;
}

export type HookAnswer = { readonly status?: number; readonly body: unknown } | "hang" | "drop";

export interface SafetyHookProgram {
  // Settings of a server that asks it.
  env(onFailure: "open" | "closed", more?: Readonly<Record<string, string>>): Record<string, string>;
  readonly asked: AskedQuestion[];
  // Of the call that was asked about last, in order.
  answerWith(answer: (question: AskedQuestion) => HookAnswer): void;
  close(): Promise<void>;
}

const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const allow = { verdict: "allow" };

export async function safetyHookProgram(): Promise<SafetyHookProgram> {
  const asked: AskedQuestion[] = [];
  const problems: unknown[] = [];
  let answer: (question: AskedQuestion) => HookAnswer = () => ({ body: allow });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
    const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
    try {
      new Webhook(secret).verify(text, headers);
    } catch (error) {
      problems.push(error);
      response.writeHead(401).end();
      return;
    }
    const question = { webhookId: String(headers["webhook-id"]), text, value: JSON.parse(text) };
    asked.push(question);
    const given = answer(question);
    if (given === "hang") return;
    if (given === "drop") return void request.socket.destroy();
    const body = typeof given.body === "string" ? given.body : JSON.stringify(given.body);
    response.writeHead(given.status ?? 200, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    env: (onFailure, more = {}) => ({
      ATELIER_SAFETY_HOOK_URL: `http://127.0.0.1:${port}/verdicts`,
      ATELIER_SAFETY_HOOK_SECRET: secret,
      ATELIER_SAFETY_HOOK_ON_FAILURE: onFailure,
      ...more,
    }),
    asked,
    answerWith(next) {
      answer = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      assert.deepEqual(problems, [], "every question was signed");
    },
  };
}
