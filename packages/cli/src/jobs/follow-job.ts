// Follows a job just submitted to its end and saves its outputs where -o says; Ctrl-C cancels it. With --no-wait we only print
// its id.
import type { JobHandle } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import type { Asked } from "../server/over-http.ts";
import type { OutputTarget } from "./save-outputs.ts";
import { watchJob } from "./watch-job.ts";

export async function followJob(
  { call, atelier, input }: Asked,
  job: JobHandle,
  target: OutputTarget,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<CommandResult> {
  if (call.has("no-wait")) return { data: job.current, text: job.id };
  const [jsonLines, isShowing] = [call.has("jsonl"), call.has("show")];
  return watchJob({ atelier, job, target, jsonLines, isShowing, facts, onInterrupt: "cancel" }, input);
}
