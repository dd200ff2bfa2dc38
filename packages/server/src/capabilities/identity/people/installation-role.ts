// Gives a person a role on the installation, or takes it away, with its audit entries.
import type { RoleOnInstallation } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/database.ts";
import { orNotFound } from "../../../foundation/fault.ts";
import type { PersonId } from "../../../foundation/ids.ts";
import type { Acting, Audit } from "../acting.ts";
import { lockKnownPerson, setInstallationRole } from "./operator-store.ts";
import type { KnownPerson } from "./person.ts";

// Throws not_found. Setting the same role again changes nothing.
export async function storeInstallationRole(
  tx: Queryable,
  audit: Audit,
  { personId, role }: { personId: PersonId; role: RoleOnInstallation | null },
  by: Acting,
): Promise<KnownPerson> {
  const before = orNotFound(await lockKnownPerson(tx, personId), "There is no person with this id.");
  if (before.role === role) return before;
  await setInstallationRole(tx, { personId, role });
  const subject = { kind: "person", id: personId };
  if (before.role !== null) await audit.append(tx, { ...by, action: `${before.role}.remove`, subject });
  if (role !== null) await audit.append(tx, { ...by, action: `${role}.add`, subject });
  return { ...before, role };
}
