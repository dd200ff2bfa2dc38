// A plain table for lists of at most some hundred rows; longer lists are virtual.

import type { ReactNode } from "react";
import { ui as words } from "#strings/ui";
import kit from "./kit.module.css";
import { Scrollable } from "./scrollable.tsx";

export interface Column<Row> {
  readonly name: string;
  readonly head: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "end";
}

export function Table<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}): ReactNode {
  return (
    <Scrollable className={kit.tableWrap} label={words.table(props.label)}>
      <table className={kit.table}>
        <thead>
          <tr>
            {props.columns.map(({ name, head, align }) => (
              <th key={name} scope="col" data-align={align}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.keyOf(row)}>
              {props.columns.map(({ name, cell, align }) => (
                <td key={name} data-align={align}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
