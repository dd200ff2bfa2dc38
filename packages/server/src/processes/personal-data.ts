// Exporting and erasing people, over every module that holds data of them.
import { erasePerson, exportPerson, type PersonErasure } from "../capabilities/workspace-data/index.ts";
import type { PersonId } from "../foundation/ids.ts";
import type { ServingDeps } from "./build/serving-deps.ts";
import { personHoldings } from "./person-holdings.ts";

export function personalDataOf({
  storage: { database },
  clock,
  capabilities: { audit, identity },
}: Pick<ServingDeps, "storage" | "clock" | "capabilities">) {
  const deps = { database, clock, audit, identity, personHoldings };
  return {
    export: (personId: PersonId) => exportPerson(deps, personId),
    erase: (erasure: PersonErasure, by: Parameters<typeof erasePerson>[2]) => erasePerson(deps, erasure, by),
  };
}
