// The server's own backups: the last good one, the next, and why the newest attempt failed.

import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { system as words } from "#strings/system";
import { backupsQuery } from "../../../api/admin.ts";
import { LinkButton } from "../../../ui/button.tsx";
import { Ago, formatBytes } from "../../../ui/figures.tsx";
import kit from "../../../ui/kit.module.css";
import { Panel } from "../../../ui/panel.tsx";
import { Pending } from "../../../ui/states.tsx";
import { Rich } from "../../../ui/text/rich.tsx";
import styles from "../operate.module.css";
import { StatusChip } from "./status-chip.tsx";

export function Backups(): ReactNode {
  const { data, error, refetch } = useQuery(backupsQuery);
  const newest = data?.data[0];
  return (
    <Panel title={words.backups.title} actions={newest ? <StatusChip status={newest.status} /> : null}>
      {data === undefined ? (
        <Pending fault={error} retry={refetch} height="5rem" />
      ) : (
        <ul className={styles.ready}>
          <Fact name={words.backups.lastGood}>
            {data.last_good === null ? words.backups.none : <Ago at={data.last_good.started_at} />}
          </Fact>
          {data.last_good === null ? null : (
            <>
              <Fact name={words.backups.size}>{formatBytes(data.last_good.bytes)}</Fact>
              <Fact name={words.backups.location}>
                <code>{data.last_good.location}</code>
              </Fact>
            </>
          )}
          <Fact name={words.backups.next}>
            {newest?.status === "running" ? (
              words.backups.now
            ) : data.next_at === null ? (
              words.backups.notScheduled
            ) : (
              <Ago at={data.next_at} />
            )}
          </Fact>
          {newest?.problem ? (
            <li>
              <span className={kit.soft}>
                <Rich text={words.backups.problem} problem={newest.problem} />
              </span>
            </li>
          ) : null}
        </ul>
      )}
      <div className={styles.links}>
        <LinkButton small to="/console/backups">
          {words.backups.more}
          <ArrowRight aria-hidden="true" />
        </LinkButton>
      </div>
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <li>
      <span className={styles.name}>{name}</span>
      <span>{children}</span>
    </li>
  );
}
