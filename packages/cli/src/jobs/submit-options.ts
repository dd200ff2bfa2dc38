// How a graph is submitted, as the flags of `run` say it.
import type { SubmitOptions } from "@atelier/sdk";
import { maxCreditsOf } from "../estimate-text.ts";
import type { Asked } from "../server/over-http.ts";
import { labelOf, metadataOf } from "./run-names.ts";

// The key is of each submission alone, and not among them.
export function submitOptions({ call }: Pick<Asked, "call">): Omit<SubmitOptions, "idempotencyKey"> {
  const priority = call.whole("priority", -100, 100);
  const metadata = metadataOf(call, labelOf(call));
  const webhookUrl = call.text("webhook-url");
  const maxCredits = maxCreditsOf(call, "run");
  return {
    ...(metadata === undefined ? {} : { metadata }),
    ...(priority === undefined ? {} : { priority }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(maxCredits === undefined ? {} : { maxCredits }),
  };
}
