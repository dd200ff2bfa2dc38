// What store functions take: a whole database or one transaction. They cannot tell which, and need not.
import type { Statement } from "./sql.ts";

export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
  // Returns the number of rows changed.
  execute(statement: Statement): Promise<number>;
}
