// How the jobs behind the pictures differ: "steps 20 → 30, seed the same".

import type { Asset } from "@atelier/sdk";
import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { asFault } from "../../api/fault.ts";
import { jobWorkflowQuery } from "../../api/jobs.ts";
import { keyed } from "../../ui/keyed.ts";
import kit from "../../ui/kit.module.css";
import { Scrollable } from "../../ui/scrollable.tsx";
import { FaultNote } from "../../ui/states.tsx";
import styles from "./viewer/viewer.module.css";
import { type Difference, differencesOf } from "./workflow-facts.ts";

const words = galleryViewer.parameters;

export function ParameterTable({ assets }: { readonly assets: readonly Asset[] }): ReactNode {
  const found = useQueries({
    queries: assets.map(({ job_id: id }) => ({ ...jobWorkflowQuery(id ?? ""), retry: 0, enabled: id != null })),
  });
  if (assets.length < 2) return null;
  if (assets.some(({ job_id: id }) => id == null)) return <Note>{words.uploads}</Note>;
  const failed = found.filter(({ error }) => error !== null);
  if (failed.some(({ error }) => asFault(error).status === 404)) return <Note>{words.workflowGone}</Note>;
  if (failed[0])
    return (
      <FaultNote
        fault={failed[0].error}
        title={words.failed}
        retry={() => {
          for (const { refetch } of failed) void refetch();
        }}
      />
    );
  if (found.some(({ data }) => data === undefined)) return <Note>{words.reading}</Note>;
  const rows = differencesOf(found.map(({ data }) => data?.workflow));
  if (assets.every(({ job_id: id }) => id === assets[0]?.job_id)) return <Note>{words.sameJob}</Note>;
  const changed = rows.filter(({ isSame }) => !isSame).length;
  return (
    <Scrollable className={styles.table} label={words.table}>
      <table className={kit.table}>
        <caption className="visually-hidden">{words.count(changed)}</caption>
        <thead>
          <tr>
            <th scope="col">{words.count(changed)}</th>
            {assets.map((asset) => (
              <th key={asset.id} scope="col">
                {asset.file_path?.split("/").at(-1) ?? asset.id.slice(0, 8)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.node} ${row.input}`} row={row} />
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

function Row({ row }: { readonly row: Difference }): ReactNode {
  return (
    <tr className={row.isSame ? kit.soft : styles.changed}>
      <td>
        {row.input} <span className={kit.soft}>· {row.title}</span>
      </td>
      {row.isSame ? (
        <td colSpan={row.values.length}>{words.same(row.values[0] ?? "")}</td>
      ) : (
        keyed(row.values, (value) => value ?? "").map(([key, value], at) => (
          <td key={key}>
            {at > 0 ? <span aria-hidden="true">→ </span> : null}
            {value ?? <span className={kit.soft}>{words.missing}</span>}
          </td>
        ))
      )}
    </tr>
  );
}

function Note({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p
      className={kit.soft}
      style={{ padding: "0.7rem 1rem", borderTop: "1px solid var(--line)", background: "var(--paper)" }}
    >
      {children}
    </p>
  );
}
