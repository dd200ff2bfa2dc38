// How a graph is submitted, as the flags of `run` say it.
import type { SubmitOptions } from "@atelier/sdk";
import { uniqueName } from "../files/unique-name.ts";
import type { Asked } from "../server/over-http.ts";

// A fresh key with every call: one submission is one job, however often it has to be sent.
export function submitOptions({ call }: Pick<Asked, "call">): SubmitOptions {
  const priority = call.whole("priority", -100, 100);
  const metadata = call.text("label");
  const webhookUrl = call.text("webhook-url");
  return {
    idempotencyKey: uniqueName(),
    ...(metadata === undefined ? {} : { metadata }),
    ...(priority === undefined ? {} : { priority }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  };
}
