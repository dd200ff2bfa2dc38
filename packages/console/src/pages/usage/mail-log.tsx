// The log of alerts by e-mail: to whom each went, and whether the mail server took it. Comes only where the server sends mail.
import { useQuery } from "@tanstack/react-query";
import { Check, Clock, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { mailLog as words } from "#strings/usage/mail-log";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";

const mailsQuery = {
  queryKey: ["account", "mails"],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => (await call(operations.listMails, { signal })).data,
};
type Mail = Awaited<ReturnType<typeof mailsQuery.queryFn>>[number];

const looks = { waiting: ["plain", Clock], sent: ["ok", Check], failed: ["bad", X] } as const;
const shownAtFirst = 10;

export function MailLog(): ReactNode {
  // What waits is tried again in a minute at the earliest.
  const { data, error, refetch } = useQuery({ ...mailsQuery, refetchInterval: 30_000 });
  const [isWhole, setWhole] = useState(false);
  return (
    <Panel title={words.title} flush={data !== undefined && data.length > 0}>
      {error && data === undefined ? <FaultNote fault={error} retry={refetch} /> : null}
      {data === undefined && !error ? <Skeleton height="4rem" /> : null}
      {data?.length === 0 ? <p className={kit.hint}>{words.none}</p> : null}
      {data && data.length > 0 ? (
        <Table
          label={words.title}
          columns={columns}
          rows={isWhole ? data : data.slice(0, shownAtFirst)}
          keyOf={({ id }) => id}
        />
      ) : null}
      {data && data.length > shownAtFirst && !isWhole ? (
        <Button small look="quiet" onClick={() => setWhole(true)}>
          {words.more(data.length)}
        </Button>
      ) : null}
    </Panel>
  );
}

const columns: readonly Column<Mail>[] = [
  { name: "when", head: words.columns.when, cell: ({ created_at }) => <Ago at={created_at} /> },
  { name: "to", head: words.columns.to, cell: ({ to }) => to },
  { name: "subject", head: words.columns.subject, cell: ({ subject }) => subject },
  { name: "outcome", head: words.columns.outcome, cell: (mail) => <Outcome of={mail} /> },
];

function Outcome({ of: mail }: { readonly of: Mail }): ReactNode {
  const [tone, icon] = looks[mail.status];
  return (
    <>
      <Chip tone={tone} icon={icon} title={words.statusTitles[mail.status]}>
        {words.status[mail.status]}
      </Chip>{" "}
      <span className={kit.soft}>
        {mail.attempts > 1 ? words.tries(mail.attempts) : null}
        {mail.next_attempt_at !== null && mail.attempts > 0 ? (
          <>
            {" · "}
            <Rich text={words.next} when={<Ago at={mail.next_attempt_at} />} />
          </>
        ) : null}
      </span>
      {mail.last_answer === null ? null : <div className={kit.soft}>{mail.last_answer}</div>}
    </>
  );
}
