// `atelier run workflow.json -i node.input=value -o out/`: uploads the files it names, submits the graph, shows progress and
// saves the outputs. Ctrl-C cancels the job on the server; a second one exits immediately. With --repeat and --each it runs
// several jobs of one graph (run-batch.ts); with --dry-run it runs none and prints what they would cost.
import type { CommandResult } from "@atelier/server/commands";
import { uniqueName } from "../files/unique-name.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { EarlyInterrupts, nothingSubmitted } from "../terminal/early-interrupts.ts";
import { isWorkId } from "../works/named-work.ts";
import { runWork } from "../works/run-work.ts";
import { graphOfRun, planRuns, readBatchFlags } from "./batch-plan.ts";
import { dryRun, notUploaded } from "./dry-run.ts";
import { followJob } from "./follow-job.ts";
import { parseInput } from "./graph-inputs.ts";
import { readGraph, submittable } from "./read-graph.ts";
import { type Prepared, runBatch } from "./run-batch.ts";
import { outputNames, readLabel } from "./run-names.ts";
import { setInputs } from "./set-inputs.ts";
import { submitOptions } from "./submit-options.ts";

export const runCommand = overHttp(async (asked) => {
  const { call, input } = asked;
  const [given = ""] = call.words;
  // It has inputs by name instead of nodes.
  if (isWorkId(given)) return runWork(asked, given, call.texts("input"), "run");
  // Reports a wrong call before anything is read or sent.
  const [options, inputs, flags] = [submitOptions(asked), call.texts("input").map(parseInput), readBatchFlags(call)];
  const names = outputNames(call, readLabel(call));
  const early = new EarlyInterrupts(input);
  try {
    const graph = await readGraph(asked);
    const plan = planRuns(flags, graph, inputs, names.template);
    const isDry = call.has("dry-run");
    if (!input.json) for (const warning of plan.warnings) input.say(`! ${warning}`);
    const odd = await setInputs(asked, graph, plan.inputs, early.signal, isDry ? notUploaded : undefined);
    if (isDry) return await dryRun(asked, plan, graph);
    early.signal.throwIfAborted();
    const prepared = { plan, graph, options, names };
    const result = await (flags.isBatch ? runBatch(asked, prepared, early) : runOne(asked, prepared, early));
    return input.json ? { ...result, warnings: [...plan.warnings, ...odd] } : result;
  } catch (error) {
    if (!early.signal.aborted) throw error;
    return nothingSubmitted(input);
  } finally {
    early.end();
  }
});

async function runOne(
  asked: Asked,
  { plan, graph: read, options, names }: Prepared,
  early: EarlyInterrupts,
): Promise<CommandResult> {
  const { atelier, input } = asked;
  const run = plan.runs[0] ?? { number: 1, file: null, seed: null };
  const { graph, seed } = graphOfRun(plan, read, run, null);
  if (run.seed !== null && !input.json) input.say(`  seed ${seed}`);
  early.isSubmitting = true;
  const job = await atelier.jobs.submit(submittable(graph), { ...options, idempotencyKey: uniqueName() });
  if (early.isInterrupted) await job.cancel();
  early.end();
  const target = names.targetOf({ jobId: job.id, graph, seed, file: null, number: 1, count: 1 });
  return followJob(asked, job, target, { seed });
}
