// What a module holds about one person: how to export it, and how to erase it. Every module describes its own tables, as for
// workspaces; docs/PRIVACY.md lists them, and a test compares.

import type { KeyId, PersonId } from "../ids.ts";
import type { Queryable } from "./database.ts";
import type { Statement } from "./sql.ts";

// Who is exported: the person, and the keys that they made.
export interface ExportedPerson {
  readonly id: PersonId;
  readonly keyIds: readonly KeyId[];
}

export interface PersonList {
  readonly name: string;
  // At most `count` rows, the newest first. List the columns one by one: hashes and secrets never leave.
  rows(person: ExportedPerson, count: number): Statement;
}

// As the person was called until now.
export interface ErasedPerson {
  readonly id: PersonId;
  readonly name: string;
  readonly email: string | null;
  // The keys that they made.
  readonly keyIds: readonly KeyId[];
}

export interface PersonHoldings {
  readonly exports?: readonly PersonList[];
  // Removes what need not stay, and replaces the name in what must. Returns how many of each.
  erase?(tx: Queryable, person: ErasedPerson): Promise<Readonly<Record<string, number>>>;
}

// The name that the books and the audit show from then on.
export const erasedName = "erased person";
