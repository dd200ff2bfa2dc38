// People who may do what an admin token may. Only a token made from a browser session counts, never a key and never an
// external issuer's token, and every request checks in the database that the person still is an operator.
import { Fault } from "../../../foundation/fault.ts";
import type { PersonId } from "../../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import type { Asking, Authenticator } from "../authenticate.ts";
import { findKnownPerson, listPeople, setOperator } from "./operator-store.ts";
import type { KnownPerson } from "./person.ts";

export interface OperatorsDeps extends ChangeDeps {
  readonly authenticate: Authenticator["authenticate"];
}

export interface Operators {
  // Throws unauthorized or rate_limited if it is not one of our tokens, and forbidden if the person is not an operator.
  authenticate(arrival: Asking): Promise<KnownPerson>;
  has(personId: PersonId): Promise<boolean>;
  // All people of the installation, or only the operators, oldest first.
  list(page: { after: PersonId | null; count: number; operatorsOnly: boolean }): Promise<KnownPerson[]>;
  // Throws not_found. Setting the same value again changes nothing.
  set(change: { personId: PersonId; isOperator: boolean }, by: Acting): Promise<KnownPerson>;
}

export function createOperators(deps: OperatorsDeps): Operators {
  const { db } = deps;
  return {
    async authenticate(arrival) {
      const principal = await deps.authenticate(arrival);
      const isSignedIn = principal.kind === "identity" && principal.sessionId !== null;
      const person = isSignedIn ? await findKnownPerson(db, principal.personId) : null;
      if (person?.isOperator) return person;
      throw new Fault(
        "forbidden",
        "Only an operator of this server may do this. Make someone an operator with: atelier operators add <person id>",
      );
    },
    has: async (personId) => (await findKnownPerson(db, personId))?.isOperator ?? false,
    list: (page) => listPeople(db, page),
    set: (change, by) => changeOperator(deps, change, by),
  };
}

async function changeOperator(
  { db, audit }: OperatorsDeps,
  { personId, isOperator }: { personId: PersonId; isOperator: boolean },
  by: Acting,
): Promise<KnownPerson> {
  return db.transaction(async (tx) => {
    const isChanged = await setOperator(tx, { personId, isOperator });
    const person = await findKnownPerson(tx, personId);
    if (person === null) throw new Fault("not_found", "There is no person with this id.");
    if (isChanged) {
      const action = isOperator ? "operator.add" : "operator.remove";
      await audit.append(tx, { ...by, action, subject: { kind: "person", id: personId } });
    }
    return person;
  });
}
