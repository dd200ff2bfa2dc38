import { operations } from "@atelier/contract";
import type { PartnerTasks } from "../../capabilities/partner-tasks/index.ts";
import { jsonAnswer, type Route } from "../../foundation/http/area.ts";

const callbackBytesMax = 4 * 1024 * 1024;

export function receivePartnerCallbackRoute(tasks: Pick<PartnerTasks, "callback">): Route<unknown> {
  return {
    operation: operations.receivePartnerCallback,
    bodyBytesMax: callbackBytesMax,
    async handle(incoming) {
      const { partner = "", task_id: taskId = "", token = "" } = incoming.params;
      const { headers } = incoming;
      await tasks.callback({ partner, taskId, token, headers, bytes: await incoming.bytes() });
      return jsonAnswer(200, {});
    },
  };
}
