// People who may use the operators' side: operators do what an admin token may, auditors read. Only a token made from a browser session counts, never a key and never an
// external issuer's token, and every request checks in the database that the person still has the role.
import { includesRole, leastRole, type Operation, type RoleOnInstallation } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import type { PersonId } from "../../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import type { Asking, Authenticator } from "../authenticate.ts";
import { storeInstallationRole } from "./installation-role.ts";
import { findKnownPerson, listPeople, type PeoplePage } from "./operator-store.ts";
import type { KnownPerson } from "./person.ts";

export interface OperatorsDeps extends ChangeDeps {
  readonly authenticate: Authenticator["authenticate"];
}

export interface Operators {
  // Throws unauthorized or rate_limited if it is not one of our tokens, and forbidden if the person lacks the operation's role.
  authenticate(arrival: Asking): Promise<KnownPerson>;
  roleOf(personId: PersonId): Promise<RoleOnInstallation | null>;
  // All people of the installation, or only the operators, oldest first.
  list(page: PeoplePage): Promise<KnownPerson[]>;
  // Throws not_found. Setting the same value again changes nothing.
  set(change: { personId: PersonId; role: RoleOnInstallation | null }, by: Acting): Promise<KnownPerson>;
}

export function createOperators(deps: OperatorsDeps): Operators {
  const { db } = deps;
  return {
    async authenticate(arrival) {
      const principal = await deps.authenticate(arrival);
      const isSignedIn = principal.kind === "identity" && principal.sessionId !== null;
      const person = isSignedIn ? await findKnownPerson(db, principal.personId) : null;
      if (person !== null) requireInstallationRole(person, arrival.operation);
      else throw notOperator();
      return person;
    },
    roleOf: async (personId) => (await findKnownPerson(db, personId))?.role ?? null,
    list: (page) => listPeople(db, page),
    set: (change, by) => changeRole(deps, change, by),
  };
}

// Default deny: without an operation, and in other areas that operators share, an auditor only reads.
function requireInstallationRole({ role }: KnownPerson, operation: Operation | undefined): void {
  if (role === null) throw notOperator();
  if (role === "operator") return;
  const least = operation === undefined ? "operator" : leastOf(operation);
  if (least !== null && includesRole(role, least)) return;
  const words = "Auditors of this server read and change nothing. This takes an operator.";
  throw new Fault("forbidden", words, { details: { role, needs_role: "operator" } });
}

// Operations of members that operators may call, too, declare the role of a member.
function leastOf(operation: Operation) {
  return leastRole(operation.access === "admin" ? operation : { method: operation.method, access: "admin" });
}

function notOperator(): Fault {
  return new Fault(
    "forbidden",
    "Only an operator of this server may do this. Make someone an operator with: atelier operators add <person id>",
  );
}

async function changeRole(
  { db, audit }: OperatorsDeps,
  change: { personId: PersonId; role: RoleOnInstallation | null },
  by: Acting,
): Promise<KnownPerson> {
  return db.transaction((tx) => storeInstallationRole(tx, audit, change, by));
}
