// Submits a prompt, shows the queue, and cancels: these routes only translate.
import { limits } from "@atelier/contract";
import { terminalStates } from "../../capabilities/jobs/index.ts";
import { readMaxCredits } from "../../capabilities/prices/index.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { fresh, jsonText } from "./answers.ts";
import type { ApplicationCaller, ApplicationDeps } from "./application-caller.ts";
import { requireNoPageForm } from "./application-guards.ts";
import { editorOperations, applicationOperations as operations } from "./application-operations.ts";
import type { EditorSettings } from "./editor/editor-settings.ts";
import { idsIn, readJsonBody } from "./prompt-bodies.ts";
import { numberOf, promptIdOf } from "./prompt-picture.ts";
import type { PromptSockets } from "./prompt-sockets.ts";
import { keyOf, openStates, type Prompts, Room } from "./prompts.ts";
import { readPrompt } from "./read-prompt.ts";

type PromptRoute = Route<ApplicationCaller>;
type Request = Incoming<ApplicationCaller>;

// More than a workspace's queue holds by default.
const queueShownMax = 1_000;

export function submitPromptRoute(
  deps: ApplicationDeps,
  sockets: PromptSockets,
  settings: EditorSettings,
): PromptRoute {
  return {
    operation: operations.submitPrompt,
    bodyBytesMax: limits.jobBodyBytesMax,
    async handle(it) {
      const { caller } = it;
      requireNoPageForm(it.headers);
      const read = await readPrompt(deps, caller, await it.bytes(), keyIn(it));
      const { job } = await deps.submit({
        caller,
        bytes: read.submission,
        idempotencyKey: read.promptId === null ? null : keyOf(read.promptId),
        maxCredits: smaller(readMaxCredits(it.rawHeaders), await settings.maxCredits(caller)),
        targets: read.targets,
        pngInfo: read.pngInfo,
      });
      sockets.submitted(job);
      return fresh({ prompt_id: promptIdOf(job), number: numberOf(job), node_errors: {} });
    },
  };
}

export function getPromptInfoRoute(prompts: Prompts): PromptRoute {
  return route(operations.getPromptInfo, async ({ caller }) => {
    const open = await prompts.newest(caller, openStates, { offset: 0, count: queueShownMax });
    return fresh({ exec_info: { queue_remaining: open.length } });
  });
}

export function getPromptQueueRoute(prompts: Prompts): PromptRoute {
  return route(operations.getPromptQueue, async ({ caller }) => {
    const open = await prompts.newest(caller, openStates, { offset: 0, count: queueShownMax });
    const room = new Room();
    const lines = async (isWanted: (state: string) => boolean) => {
      const texts: string[] = [];
      for (const job of open.toReversed()) if (isWanted(job.state)) texts.push(await prompts.lineOf(job, room));
      return texts.join(",");
    };
    const running = await lines((state) => state !== "queued");
    const pending = await lines((state) => state === "queued");
    return jsonText(`{"queue_running":[${running}],"queue_pending":[${pending}]}`);
  });
}

// In the application, only waiting prompts can be removed from the queue; running ones are interrupted.
export function changePromptQueueRoute(prompts: Prompts): PromptRoute {
  return route(operations.changePromptQueue, async (it) => {
    const asked = await readJsonBody(it);
    const { caller } = it;
    const waiting =
      asked["clear"] === true ? await prompts.newest(caller, ["queued"], { offset: 0, count: queueShownMax }) : [];
    for (const promptId of idsIn(asked["delete"])) {
      const job = await prompts.findOwn(caller, promptId);
      if (job?.state === "queued") waiting.push(job);
    }
    for (const job of waiting) await prompts.cancel(job);
    return fresh({});
  });
}

// Without an id, interrupts the running prompt. If there are several, the longest-running one, since an application runs one at
// a time.
export function interruptPromptRoute(prompts: Prompts): PromptRoute {
  return route(operations.interruptPrompt, async (it) => {
    const { prompt_id: promptId } = await readJsonBody(it);
    const { caller } = it;
    const job =
      typeof promptId === "string"
        ? await prompts.findOwn(caller, promptId)
        : (await prompts.newest(caller, ["running"], { offset: 0, count: queueShownMax })).at(-1);
    if (job?.state === "running") await prompts.cancel(job);
    return fresh({});
  });
}

// The editor's newer form: waiting and running ones alike, and those that have ended stay as they are.
export function cancelRoutes(prompts: Prompts): PromptRoute[] {
  const cancel = async ({ caller }: Request, ids: readonly string[]) => {
    for (const id of ids) {
      const job = await prompts.findOwn(caller, id);
      if (job !== null && !terminalStates.has(job.state)) await prompts.cancel(job);
    }
    return fresh({ cancelled: ids });
  };
  return [
    route(editorOperations.cancelPromptJobs, async (it) => cancel(it, idsIn((await readJsonBody(it))["job_ids"]))),
    route(editorOperations.cancelPromptJob, (it) => cancel(it, [it.params["id"] ?? ""])),
  ];
}

// Null is no limit.
function smaller(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function keyIn({ headers }: Request): string | null {
  const key = headers["x-api-key"];
  if (typeof key === "string") return key;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? null;
}
