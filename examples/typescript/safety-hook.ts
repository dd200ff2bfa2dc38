// A safety hook: asked before a model call is sent and before its answer is delivered. It checks the signature, refuses a word,
// and takes e-mail addresses out of prompts.
//   ATELIER_SAFETY_HOOK_SECRET=whsec_… safety-hook.ts 8766
import { createServer } from "node:http";
import { unwrap, WebhookRefused } from "@atelier/sdk/webhooks";

interface Question {
  readonly stage: "input" | "answer";
  readonly model: string;
  readonly end_user: string | null;
  readonly input?: { readonly prompt?: unknown };
  readonly answer?: unknown;
}

const secret = process.env["ATELIER_SAFETY_HOOK_SECRET"] ?? "";
const port = Number(process.argv[2] ?? 8766);

function verdictOn({ stage, input, answer }: Question): object {
  if (/forbidden/i.test(JSON.stringify(stage === "input" ? input : answer) ?? ""))
    return { verdict: "refuse", reason: "This word is not allowed here." };
  const prompt = input?.prompt;
  const clean = typeof prompt === "string" ? prompt.replace(/[\w.+-]+@[\w.-]+/g, "(address)") : prompt;
  return clean === prompt ? { verdict: "allow" } : { verdict: "replace", input: { ...input, prompt: clean } };
}

const server = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  try {
    const question = await unwrap<Question>(Buffer.concat(pieces), request.headers, secret);
    const verdict = verdictOn(question);
    console.log(`${question.model} ${question.stage} ${JSON.stringify(verdict)}`);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(verdict));
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    response.writeHead(401).end();
  }
});
server.listen(port, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${port}`));
