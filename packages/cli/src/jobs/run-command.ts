// `atelier run workflow.json -i node.input=value -o out/`: uploads the files it names, submits the graph, shows how far
// it is and saves what it made. Ctrl-C cancels the job on the server; a second one leaves at once.
import { exitCodes } from "../exit-codes.ts";
import { requireFolder } from "../files/output-path.ts";
import { overHttp } from "../server/over-http.ts";
import { EarlyInterrupts } from "../terminal/early-interrupts.ts";
import { followJob } from "./follow-job.ts";
import { parseInput } from "./graph-inputs.ts";
import { readGraph, submittable } from "./read-graph.ts";
import { setInputs } from "./set-inputs.ts";
import { submitOptions } from "./submit-options.ts";

export const runCommand = overHttp(async (asked) => {
  const { call, atelier, input } = asked;
  const options = submitOptions(asked);
  const inputs = call.texts("input").map(parseInput);
  const target = call.text("output") ?? ".";
  const folder = call.has("no-wait") ? target : requireFolder(target);
  const early = new EarlyInterrupts(input);
  try {
    const graph = await readGraph(asked);
    const warnings = await setInputs(asked, graph, inputs, early.signal);
    early.signal.throwIfAborted();
    early.isSubmitting = true;
    const job = await atelier.jobs.submit(submittable(graph), options);
    if (early.isInterrupted) await job.cancel();
    early.end();
    const result = await followJob(asked, job, folder);
    return input.json ? { ...result, warnings } : result;
  } catch (error) {
    if (!early.signal.aborted) throw error;
    const problem = "Nothing was submitted.";
    input.say(problem);
    return { data: null, text: "", exitCode: exitCodes.interrupted, problem };
  } finally {
    early.end();
  }
});
