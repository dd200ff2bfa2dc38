// `atelier queue`: pauses and resumes the workspace's queue. A paused queue accepts submissions and keeps them; running jobs
// continue.
import type { AccountQueue } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { counted } from "../terminal/counted.ts";
import { overHttp, readAnswer } from "./over-http.ts";

export const queueCommand = overHttp(async ({ call, atelier }): Promise<CommandResult> => {
  const path = "/account/queue";
  const change = call.verb === "show" ? {} : ({ method: "PUT", json: { paused: call.verb === "pause" } } as const);
  const data: AccountQueue = await readAnswer(atelier.request(path, change));
  return { data, text: queueText(data) };
});

function queueText({ paused, paused_at: since, queued, running }: AccountQueue): string {
  const work = `${counted(queued, "job")} waiting, ${running} running.`;
  return paused ? `Paused since ${since}: ${work} Resume it: atelier queue resume` : `Not paused: ${work}`;
}
