// Statements on one connection. Values are converted before anything is sent.
import type { ClientBase, QueryConfig } from "pg";
import type { Queryable } from "./queryable.ts";
import type { Statement } from "./sql.ts";
import { wireValue } from "./wire-value.ts";

// The protocol counts parameters in 16 bits. Larger sets of rows travel as arrays through unnest.
const valuesMax = 65_535;

export function wireQuery(statement: Statement, named: boolean): QueryConfig {
  if (statement.values.length > valuesMax) throw new RangeError(`A statement can have at most ${valuesMax} values.`);
  const values = statement.values.map(wireValue);
  return named ? { name: statement.name, text: statement.text, values } : { text: statement.text, values };
}

export interface ConnectionQueryable extends Queryable {
  // Refuses statements sent after this.
  end(): void;
}

export function queryableOn(client: ClientBase, named: boolean): ConnectionQueryable {
  let ended = false;
  const run = (statement: Statement) => {
    if (ended) throw new Error("The transaction has ended; its statements must be awaited inside it.");
    return client.query(wireQuery(statement, named));
  };
  return {
    query: async (statement) => (await run(statement)).rows,
    execute: async (statement) => (await run(statement)).rowCount ?? 0,
    end() {
      ended = true;
    },
  };
}
