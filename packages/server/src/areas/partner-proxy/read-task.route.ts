// The routes that read tasks: the caller's own, of the operations that the definition shows here.
import type { Principal } from "../../capabilities/identity/index.ts";
import type { PartnerTasks } from "../../capabilities/partner-tasks/index.ts";
import type { Partner } from "../../capabilities/partners/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Route } from "../../foundation/http/area.ts";
import { parseId } from "../../foundation/ids.ts";
import { chargeHeader, type ExtraHeaders } from "./extra-headers.ts";
import { readOperation } from "./partner-operations.ts";

export interface ReadRouteDeps {
  readonly tasks: Pick<PartnerTasks, "read" | "chargeOf">;
  readonly extraHeaders: ExtraHeaders;
}

export function readTaskRoutes(
  { tasks, extraHeaders }: ReadRouteDeps,
  { definition }: Partner,
): readonly Route<Principal>[] {
  return definition.reads.map((read) => {
    const operations = new Set(
      definition.operations.filter((operation) => operation.read === read.name).map(({ name }) => name),
    );
    const operation = readOperation(definition, read);
    const parameter = /\{(\w+)\}$/.exec(operation.path)?.[1] ?? "";
    return {
      operation,
      async handle(incoming) {
        const { caller, params } = incoming;
        // If it has not ended yet we may ask the partner.
        incoming.waitsForOthers();
        const taskId = parseId<"call">(params[parameter] ?? "");
        const { partner } = definition;
        const task = taskId && (await tasks.read({ workspaceId: caller.workspaceId, taskId, partner, operations }));
        if (!task) throw new Fault("not_found", "There is no such task.");
        const charge = extraHeaders && chargeHeader(await tasks.chargeOf(task));
        return {
          status: 200,
          headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", ...charge },
          body: task.body,
        };
      },
    };
  });
}
