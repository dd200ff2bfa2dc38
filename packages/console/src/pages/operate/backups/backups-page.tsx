// The server's own backups: whether there is a good one, when the next is made, the history, and how to restore one.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { backups as words } from "#strings/operators/backups";
import { type Backup, type BackupList, backupsQuery } from "../../../api/admin.ts";
import { call } from "../../../api/client.ts";
import { operations } from "../../../api/operations.ts";
import { Button } from "../../../ui/button.tsx";
import { CodeBlock } from "../../../ui/copy.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Ago, formatBytes, formatDuration } from "../../../ui/figures.tsx";
import kit from "../../../ui/kit.module.css";
import { Facts, PageHead, Panel, Stack } from "../../../ui/panel.tsx";
import { Empty, FaultNote, Pending } from "../../../ui/states.tsx";
import { Table } from "../../../ui/table.tsx";
import { Rich } from "../../../ui/text/rich.tsx";
import { toast } from "../../../ui/toast.tsx";
import styles from "../operate.module.css";
import { ForOperators, useOperating } from "../operator.tsx";
import { restoreCommand, schedule } from "./snippets.ts";
import { StatusChip } from "./status-chip.tsx";

export function BackupsPage(): ReactNode {
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <BackUpNow />
      </PageHead>
      <ForOperators>
        <History />
      </ForOperators>
    </>
  );
}

// While one runs, its end is awaited.
const runningMs = 3_000;

function useBackups() {
  const { isOperator } = useOperating();
  return useQuery({
    ...backupsQuery,
    enabled: isOperator === true,
    refetchInterval: ({ state }) => (state.data?.data[0]?.status === "running" ? runningMs : 60_000),
  });
}

function BackUpNow(): ReactNode {
  const queries = useQueryClient();
  const { data: known } = useBackups();
  const beginning = useMutation({
    mutationFn: () => call(operations.beginBackup),
    onSuccess: () => toast(words.begun),
    onSettled: () => queries.invalidateQueries({ queryKey: backupsQuery.queryKey }),
  });
  return (
    <>
      <Button
        does={operations.beginBackup}
        look="primary"
        why={known?.data[0]?.status === "running" ? words.isRunning : null}
        disabled={beginning.isPending}
        onClick={() => beginning.mutate()}
      >
        <Archive aria-hidden="true" />
        {words.now}
      </Button>
      {beginning.error ? <FaultNote fault={beginning.error} title={words.notBegun} /> : null}
    </>
  );
}

function History(): ReactNode {
  const { data, error, refetch } = useBackups();
  if (data === undefined) return <Pending fault={error} retry={refetch} height="24rem" />;
  return (
    <Stack>
      <Alarm of={data} />
      <div className={styles.split}>
        <Panel title={words.lastGood}>{data.last_good === null ? <NoneYet /> : <LastGood of={data.last_good} />}</Panel>
        <Schedule of={data} />
      </div>
      <Panel title={words.history} flush>
        {data.data.length === 0 ? (
          <Empty icon={Archive} title={words.none}>
            <p>{words.noneText}</p>
          </Empty>
        ) : (
          <Attempts of={data.data} />
        )}
      </Panel>
    </Stack>
  );
}

function Alarm({ of: { is_late, data } }: { readonly of: BackupList }): ReactNode {
  const newest = data.find(({ status }) => status !== "running");
  const sentence = is_late ? words.late : newest?.status === "failed" ? words.failed : null;
  if (sentence === null) return null;
  return (
    <div className={styles.notice} role="alert" data-late={is_late}>
      <TriangleAlert aria-hidden="true" />
      <div>
        <h2>{sentence}</h2>
        {newest?.problem ? <p>{newest.problem}</p> : null}
      </div>
    </div>
  );
}

function NoneYet(): ReactNode {
  return <p>{words.noGood}</p>;
}

function LastGood({ of }: { readonly of: Backup }): ReactNode {
  return (
    <Stack>
      <Facts
        of={[
          [words.facts.began, <Ago key="began" at={of.started_at} />],
          [words.facts.verified, <Ago key="verified" at={of.verified_at} />],
          [words.facts.size, of.bytes === null ? "–" : formatBytes(of.bytes)],
          [words.facts.content, words.content(of.rows ?? 0, of.blobs ?? 0)],
          [words.facts.version, of.schema_version ?? "–"],
          [words.facts.location, <code key="location">{of.location}</code>],
        ]}
      />
      <HowToRestore of={of} />
    </Stack>
  );
}

function HowToRestore({ of }: { readonly of: Backup }): ReactNode {
  return (
    <Stack>
      <p>{words.restoreLead}</p>
      <CodeBlock wrap label={words.restore} code={restoreCommand(of)} />
      <p className={kit.soft}>
        {of.location.startsWith("s3://") ? `${words.endpoint} ` : null}
        <Rich text={words.ring} file={<code>secrets.json</code>} />
      </p>
    </Stack>
  );
}

function Schedule({ of: { schedule: plan, next_at, data } }: { readonly of: BackupList }): ReactNode {
  return (
    <Panel title={words.schedule}>
      {plan === null ? (
        <Stack>
          <p>{words.noSchedule}</p>
          <CodeBlock wrap label={words.schedule} code={schedule} />
        </Stack>
      ) : (
        <Facts
          of={[
            [words.facts.every, formatDuration(plan.every_seconds * 1_000)],
            [words.facts.keep, words.kept(plan.keep)],
            [words.facts.location, <code key="location">{plan.location}</code>],
            [words.facts.next, data[0]?.status === "running" ? words.runs : <Ago key="next" at={next_at} />],
          ]}
        />
      )}
    </Panel>
  );
}

function Attempts({ of }: { readonly of: readonly Backup[] }): ReactNode {
  const [restored, setRestored] = useState<Backup | null>(null);
  return (
    <>
      <Table
        label={words.history}
        rows={of}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "status",
            head: words.columns.status,
            cell: ({ status, problem }) => (
              <>
                <StatusChip status={status} />
                {problem === null ? null : <div className={kit.soft}>{problem}</div>}
              </>
            ),
          },
          { name: "began", head: words.columns.began, cell: ({ started_at }) => <Ago at={started_at} /> },
          {
            name: "took",
            head: words.columns.took,
            align: "end",
            cell: ({ started_at, ended_at }) =>
              ended_at === null ? "–" : formatDuration(Date.parse(ended_at) - Date.parse(started_at)),
          },
          {
            name: "size",
            head: words.columns.size,
            align: "end",
            cell: ({ bytes }) => (bytes === null ? "–" : formatBytes(bytes)),
          },
          { name: "name", head: words.columns.name, cell: ({ name }) => <code>{name}</code> },
          {
            name: "restore",
            head: <span className="visually-hidden">{words.restore}</span>,
            align: "end",
            cell: (backup) =>
              backup.removed_at !== null ? (
                <span className={kit.soft}>{words.removed}</span>
              ) : backup.status === "verified" || backup.status === "unverified" ? (
                <Button
                  small
                  look="quiet"
                  aria-label={words.restoreOf(backup.name)}
                  onClick={() => setRestored(backup)}
                >
                  {words.restoreShort}
                </Button>
              ) : null,
          },
        ]}
      />
      <Dialog title={words.restore} isOpen={restored !== null} onClose={() => setRestored(null)}>
        {restored === null ? null : <HowToRestore of={restored} />}
      </Dialog>
    </>
  );
}
