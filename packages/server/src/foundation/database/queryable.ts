// What a store function is given: a whole database or one transaction, it cannot tell and need not.
import type { Statement } from "./sql.ts";

export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
  // The number of rows it changed.
  execute(statement: Statement): Promise<number>;
}
