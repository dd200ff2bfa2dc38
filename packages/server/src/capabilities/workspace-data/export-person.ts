// Everything the server holds about one person, as lists of rows: what an export of the person contains. Secrets and hashes are not
// part of it.
import type { Queryable } from "../../foundation/database/database.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import { Fault } from "../../foundation/fault.ts";
import type { PersonId } from "../../foundation/ids.ts";
import { findKeyIdsOf } from "../identity/shared-sql.ts";

export interface ExportedPersonData {
  readonly lists: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  // The lists that have more rows than are shown.
  readonly cut: readonly string[];
}

// Most lists are short; requests and audit entries of years are not.
const rowsMax = 10_000;

export async function exportPerson(
  { database, personHoldings }: { readonly database: Queryable; readonly personHoldings: readonly PersonHoldings[] },
  personId: PersonId,
): Promise<ExportedPersonData> {
  const person = { id: personId, keyIds: await findKeyIdsOf(database, personId) };
  const lists: Record<string, Record<string, unknown>[]> = {};
  const cut: string[] = [];
  for (const { name, rows } of personHoldings.flatMap(({ exports = [] }) => exports)) {
    const found = await database.query<Record<string, unknown>>(rows(person, rowsMax + 1));
    if (found.length > rowsMax) cut.push(name);
    lists[name] = found.slice(0, rowsMax);
  }
  if (lists["profile"]?.length === 0) throw new Fault("not_found", "There is no person with this id.");
  return { lists, cut };
}
