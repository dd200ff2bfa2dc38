// Reads the submission options from the flags of `run`.
import type { OutputTarget, SubmitOptions } from "@atelier/sdk";
import { readMaxCredits } from "../estimate-text.ts";
import { given } from "../given.ts";
import { ClientProblem } from "../server/client-problem.ts";
import type { Asked } from "../server/over-http.ts";
import { readJsonFile } from "./read-graph.ts";
import { readLabel, readMetadata } from "./run-names.ts";

// Without the idempotency key, which belongs to each submission.
export function submitOptions({ call }: Pick<Asked, "call">): Omit<SubmitOptions, "idempotencyKey"> {
  const deliverTo = call.text("deliver-to");
  return given({
    priority: call.whole("priority", -100, 100),
    metadata: readMetadata(call, readLabel(call)),
    webhookUrl: call.text("webhook-url"),
    maxCredits: readMaxCredits(call, "run"),
    outputTarget: deliverTo === undefined ? undefined : targetOf(deliverTo),
  });
}

// A bucket's credential must be in a file: others can read a command line, and shells remember it.
function targetOf(text: string): OutputTarget {
  if (/^https?:\/\//.test(text)) return { kind: "https", url: text };
  const target = readJsonFile(text);
  if (isTarget(target)) return target;
  throw new ClientProblem("rejected_input", "invalid_body", `${text} contains no output target.`, {
    hint: 'for example {"kind": "s3", "endpoint": "https://…", "bucket": "…", …}; docs/WORKFLOWS.md shows both kinds',
  });
}

// The server checks the rest.
const isTarget = (value: unknown): value is OutputTarget =>
  typeof value === "object" && value !== null && "kind" in value;
