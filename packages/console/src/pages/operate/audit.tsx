// Every admin and account action, newest first. The server filters and pages, and the address holds all of it.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Bot, KeyRound, ScrollText, Terminal, User } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type AuditEntry, auditQuery } from "../../api/admin.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./operate.module.css";
import type { SystemSearch } from "./operate-search.ts";
import { Pager } from "./pager.tsx";

const route = getRouteApi("/console/system");

const actorKinds = [
  { value: "", label: "Everyone" },
  { value: "person", label: "People" },
  { value: "api_key", label: "API keys" },
  { value: "admin_token", label: "Admin tokens" },
  { value: "system", label: "The server" },
];
const icons = { person: User, api_key: KeyRound, admin_token: Terminal, system: Bot } as const;

export function Audit(): ReactNode {
  const { tab: _tab, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const { data, error, refetch } = useQuery({ ...auditQuery({ ...search }), placeholderData: keepPreviousData });
  const narrow = (more: SystemSearch) => {
    const { cursor: _cursor, ...kept } = search;
    navigate({ search: { tab: "audit", ...kept, ...more } });
  };
  return (
    <Panel title="Audit" flush>
      <Filters search={search} onNarrow={narrow} />
      {data === undefined ? (
        <div style={{ padding: "1rem" }}>
          {error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="2.4rem" count={8} />}
        </div>
      ) : data.data.length === 0 ? (
        <Empty
          icon={ScrollText}
          title="Nothing was done that fits"
          actions={<Button onClick={() => navigate({ search: { tab: "audit" } })}>Show all</Button>}
        />
      ) : (
        <Entries rows={data.data} onOpen={setOpened} />
      )}
      <Pager
        isFirst={search.cursor === undefined}
        next={data?.next_cursor}
        onTurn={(cursor) => narrow(cursor === undefined ? {} : { cursor })}
      />
      <Dialog title={opened?.action} isOpen={opened !== null} onClose={() => setOpened(null)} size="wide">
        {opened ? <Entry of={opened} /> : null}
      </Dialog>
    </Panel>
  );
}

function Filters({ search, onNarrow }: { search: SystemSearch; onNarrow: (more: SystemSearch) => void }): ReactNode {
  return (
    <form
      className={styles.filters}
      key={`${search.action}${search.subject_id}`}
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        const text = (name: string) => String(given.get(name) ?? "").trim() || undefined;
        onNarrow({ action: text("action"), subject_id: text("subject_id") } as SystemSearch);
      }}
    >
      <Select
        label="Who did it"
        choices={actorKinds}
        value={search.actor_kind ?? ""}
        onChange={(event) => onNarrow({ actor_kind: event.target.value })}
      />
      <input
        className={kit.input}
        name="action"
        aria-label="Action, exactly"
        placeholder="Action: credits.fund"
        defaultValue={search.action}
        maxLength={200}
      />
      <input
        className={kit.input}
        name="subject_id"
        aria-label="Done to, by id"
        placeholder="Done to: id or name"
        defaultValue={search.subject_id}
        maxLength={200}
      />
      <Button type="submit">Apply</Button>
    </form>
  );
}

function Entries(props: { readonly rows: readonly AuditEntry[]; readonly onOpen: (row: AuditEntry) => void }) {
  return (
    <Table
      label="Audit entries"
      rows={props.rows}
      keyOf={({ id }) => id}
      columns={[
        { name: "at", head: "When", cell: ({ at }) => <Ago at={at} /> },
        { name: "action", head: "Action", cell: ({ action }) => <code>{action}</code> },
        {
          name: "actor",
          head: "Who",
          cell: ({ actor }) => (
            <Chip icon={icons[actor.kind as keyof typeof icons] ?? User} title={`${actor.kind} ${actor.id}`}>
              {actor.name ?? actor.id.slice(0, 8)}
            </Chip>
          ),
        },
        {
          name: "subject",
          head: "Done to",
          cell: ({ subject }) => (
            <>
              <span className={kit.soft}>{subject.kind}</span> <CopyId id={subject.id} />
            </>
          ),
        },
        {
          name: "more",
          head: <span className="visually-hidden">More</span>,
          align: "end",
          cell: (row) => (
            <Button small look="quiet" aria-label={`Details of ${row.action}`} onClick={() => props.onOpen(row)}>
              Details
            </Button>
          ),
        },
      ]}
    />
  );
}

function Entry({ of: entry }: { readonly of: AuditEntry }): ReactNode {
  return (
    <>
      <Facts
        of={[
          ["When", new Date(entry.at).toLocaleString()],
          ["Who", `${entry.actor.name ?? ""} (${entry.actor.kind} ${entry.actor.id})`],
          ["Done to", `${entry.subject.kind} ${entry.subject.id}`],
          ["Workspace", entry.workspace_id ? <CopyId key="workspace" id={entry.workspace_id} short={false} /> : "–"],
          ["Request", entry.request_id ? <CopyId key="request" id={entry.request_id} short={false} /> : "–"],
        ]}
      />
      <Heading>Before</Heading>
      <CodeBlock code={shown(entry.before)} label="Before" wrap />
      <Heading>After</Heading>
      <CodeBlock code={shown(entry.after)} label="After" wrap />
    </>
  );
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each), 2) ?? "null";
