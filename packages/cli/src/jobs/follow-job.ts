// A job that was submitted just now, to its end, with its outputs kept in the folder; Ctrl-C cancels it. With --no-wait its
// id is all that is told.
import type { JobHandle } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import type { Asked } from "../server/over-http.ts";
import { watchJob } from "./watch-job.ts";

export async function followJob(
  { call, atelier, input }: Asked,
  job: JobHandle,
  folder: string,
): Promise<CommandResult> {
  if (call.has("no-wait")) return { data: job.current, text: job.id };
  const [jsonLines, isShowing] = [call.has("jsonl"), call.has("show")];
  return watchJob({ atelier, job, folder, jsonLines, isShowing, onInterrupt: "cancel" }, input);
}
