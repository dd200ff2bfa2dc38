// Exporting and erasing people, over every module that holds data of them.
import type { Identity } from "../capabilities/identity/index.ts";
import {
  type ErasePersonDeps,
  type ExportedPersonData,
  erasePerson,
  exportPerson,
  type PersonErasure,
} from "../capabilities/workspace-data/index.ts";
import type { PersonId } from "../foundation/ids.ts";
import { personHoldings } from "./person-holdings.ts";

export interface PersonalDataDeps extends Pick<ErasePersonDeps, "clock"> {
  readonly storage: { readonly database: ErasePersonDeps["database"] };
  readonly capabilities: { readonly audit: ErasePersonDeps["audit"]; readonly identity: Identity };
}

export function personalDataOf({ storage: { database }, clock, capabilities }: PersonalDataDeps) {
  const { audit, identity } = capabilities;
  const deps = { database, clock, audit, identity, personHoldings };
  return {
    export: (personId: PersonId): Promise<ExportedPersonData> => exportPerson(deps, personId),
    erase: (erasure: PersonErasure, by: Parameters<typeof erasePerson>[2]) => erasePerson(deps, erasure, by),
  };
}
