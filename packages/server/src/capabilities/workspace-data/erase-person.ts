// Erases a person: signs them out everywhere, ends their memberships and keys, and removes their name and address from everything
// that must stay (the books, the audit, what they made in a workspace), which goes on under their id as a pseudonym. Each module says
// what it holds and how to erase it. One transaction: a person is erased whole or not at all.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import { Fault, orNotFound } from "../../foundation/fault.ts";
import type { PersonId } from "../../foundation/ids.ts";
import type { Audit, NewAuditEntry } from "../audit/index.ts";
import type { Identity } from "../identity/index.ts";
import {
  type ErasedHoldings,
  eraseIdentityOf,
  findWorkspacesOwnedAlone,
  lockPersonToErase,
} from "../identity/shared-sql.ts";

export interface ErasePersonDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly identity: Pick<Identity, "forget">;
  // One for every module that holds data of people.
  readonly personHoldings: readonly PersonHoldings[];
}

export interface PersonErasure {
  readonly personId: PersonId;
  // True: the workspaces keep the keys that the person made.
  readonly keepKeys: boolean;
}

// How many of each were removed or changed: sessions, keys, audit entries and so on.
export type ErasedCounts = Readonly<Record<string, number>>;

export async function erasePerson(
  deps: ErasePersonDeps,
  { personId, keepKeys }: PersonErasure,
  by: Pick<NewAuditEntry, "actor" | "requestId">,
): Promise<ErasedCounts> {
  const erased = await deps.database.transaction(async (tx): Promise<ErasedHoldings> => {
    const person = orNotFound(await lockPersonToErase(tx, personId), "There is no person with this id.");
    const alone = await findWorkspacesOwnedAlone(tx, personId);
    if (alone.length > 0) throw ownsAlone(alone);
    const identity = await eraseIdentityOf(tx, { personId, keepKeys, now: deps.clock.now() });
    const counts: Record<string, number> = { ...identity.counts };
    for (const { erase } of deps.personHoldings) Object.assign(counts, await erase?.(tx, person));
    const actor = by.actor.id === personId ? { kind: by.actor.kind, id: by.actor.id } : by.actor;
    const subject = { kind: "person", id: personId };
    await deps.audit.append(tx, { ...by, actor, action: "person.erase", subject, after: counts });
    return { ...identity, counts };
  });
  await deps.identity.forget(erased);
  return erased.counts;
}

function ownsAlone(workspaces: readonly { readonly id: string; readonly name: string }[]): Fault {
  const names = workspaces.map(({ name }) => `"${name}"`).join(", ");
  return new Fault(
    "conflict",
    `The only owner of ${names} cannot be erased. Make another member an owner, or have the workspace deleted, first.`,
    { details: { workspace_ids: workspaces.map(({ id }) => id) } },
  );
}
