// One statement on one connection, values converted before anything is sent.
import type { ClientBase, QueryConfig, QueryResult } from "pg";
import type { Statement } from "./sql.ts";
import { wireValue } from "./wire-value.ts";

// The protocol counts parameters in 16 bits; more rows than that travel as arrays through unnest.
const valuesMax = 65_535;

export function wireQuery(statement: Statement, named: boolean): QueryConfig {
  if (statement.values.length > valuesMax) throw new RangeError(`A statement holds at most ${valuesMax} values.`);
  const values = statement.values.map(wireValue);
  return named ? { name: statement.name, text: statement.text, values } : { text: statement.text, values };
}

export function send(client: ClientBase, query: QueryConfig): Promise<QueryResult> {
  return client.query(query);
}
