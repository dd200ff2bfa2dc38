// What `atelier doctor` would find, from inside the server: problems first, with what to do about them.

import { Check, CircleCheck, CornerDownRight, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { system as words } from "#strings/system";
import type { SystemCheck, SystemCheckList } from "../../api/admin.ts";
import { Chip } from "../../ui/chip.tsx";
import { keyed } from "../../ui/keyed.ts";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./operate.module.css";

const order = { problem: 0, warning: 1, ok: 2 } as const;
const looks = {
  problem: ["bad", OctagonAlert, words.checks.status.problem],
  warning: ["warn", TriangleAlert, words.checks.status.warning],
  ok: ["ok", Check, words.checks.status.ok],
} as const;

export function Checks({
  checks,
}: {
  readonly checks: {
    readonly data: SystemCheckList | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
}): ReactNode {
  const { data, error, refetch } = checks;
  if (data === undefined && error) return <FaultNote fault={error} retry={refetch} />;
  if (data === undefined) return <Skeleton height="26rem" />;
  const rows = data.data.toSorted((one, other) => order[one.status] - order[other.status]);
  return (
    <div className={styles.cards}>
      {error ? <FaultNote fault={error} retry={refetch} title={words.checks.refreshFailed} /> : null}
      <Panel flush>
        <Verdict of={data.data} />
      </Panel>
      <Panel title={words.checks.title} flush>
        <ul className={styles.rows}>
          {keyed(rows, ({ name }) => name).map(([key, row]) => (
            <CheckRow key={key} row={row} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Verdict({ of }: { readonly of: readonly SystemCheck[] }): ReactNode {
  const count = (status: SystemCheck["status"]) => of.filter((each) => each.status === status).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  const tone = problems > 0 ? "bad" : warnings > 0 ? "warn" : "ok";
  const Icon = { bad: OctagonAlert, warn: TriangleAlert, ok: CircleCheck }[tone];

  return (
    <div className={styles.verdict} data-tone={tone} role="status">
      <Icon aria-hidden="true" />
      <div>
        <strong>{words.checks.verdict(problems, warnings)}</strong>
        {words.checks.counts(problems, warnings, of.length - problems - warnings)}
      </div>
    </div>
  );
}

export function CheckRow({ row }: { readonly row: SystemCheck }): ReactNode {
  const [tone, icon, word] = looks[row.status];
  return (
    <li data-check={row.name} data-status={row.status}>
      <span>
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
      </span>
      <span className={styles.name}>{row.name}</span>
      <div className={styles.message}>
        {row.message}
        {row.advice ? (
          <div className={styles.advice}>
            <CornerDownRight aria-hidden="true" />
            <span>{row.advice}</span>
          </div>
        ) : null}
      </div>
    </li>
  );
}
