// Ends one prompt and no other. Newer versions have a route for it. Older ones need two steps: remove it from the queue,
// or send an interruption that names the prompt. Even older versions ignore the name and would stop any running prompt;
// we never ask those, and a running prompt runs to its end there.
import { ApplicationProblem } from "../application.ts";
import type { ApplicationHttp } from "../line/application-http.ts";
import type { QueueSnapshot } from "./read-prompts.ts";

export interface CancelDeps {
  readonly http: ApplicationHttp;
  queue(): Promise<QueueSnapshot>;
  // As the application writes it. Null if unknown.
  version(): Promise<string | null>;
}

// A prompt can start between the two steps; after this many rounds something else is wrong.
const roundsMax = 4;

export async function cancelPrompt(deps: CancelDeps, promptId: string): Promise<boolean> {
  const { http } = deps;
  const route = await http.call({ method: "POST", path: `/api/jobs/${encodeURIComponent(promptId)}/cancel` });
  if (route.status === 200) return true;
  if (route.status !== 404 && route.status !== 405)
    throw new ApplicationProblem("garbage", `The application answered ${route.status} when the job was canceled.`);
  for (let round = 0; round < roundsMax; round++) {
    await removeFromQueue(http, promptId);
    const queue = await deps.queue();
    if (queue.running.has(promptId)) {
      if (!interruptsByName(await deps.version())) return false;
      await mustBe200(http, "/interrupt", { prompt_id: promptId });
      return true;
    }
    if (!queue.pending.includes(promptId)) return true;
  }
  return false;
}

// Does not touch a running prompt.
export async function removeFromQueue(http: ApplicationHttp, promptId: string): Promise<void> {
  await mustBe200(http, "/queue", { delete: [promptId] });
}

async function mustBe200(http: ApplicationHttp, path: string, body: object): Promise<void> {
  const { status } = await http.call({ method: "POST", path, json: JSON.stringify(body) });
  if (status !== 200) throw new ApplicationProblem("garbage", `The application answered ${status}.`);
}

// The prompt's name is honoured since 0.3.57.
export function interruptsByName(version: string | null): boolean {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? "");
  // A version that is not a number is newer than those that ignore the name.
  if (numbers === null) return version !== null;
  const [major = 0, minor = 0, patch = 0] = numbers.slice(1).map(Number);
  return major > 0 || minor > 3 || (minor === 3 && patch >= 57);
}
