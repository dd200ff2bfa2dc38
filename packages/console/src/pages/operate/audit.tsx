// Every admin and account action, newest first. The server filters and pages, and the address holds all of it.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Bot, KeyRound, ScrollText, Terminal, User } from "lucide-react";
import { type ReactNode, useState } from "react";
import { system } from "#strings/system";
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
import { Empty, Pending } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./operate.module.css";
import { actorKinds, type SystemSearch } from "./operate-search.ts";
import { Pager } from "./pager.tsx";
import { subjectName } from "./subject-name.ts";

const words = system.audit;
const route = getRouteApi("/console/system");

const actorChoices = [
  { value: "", label: words.actors.all },
  { value: "person", label: words.actors.person },
  { value: "api_key", label: words.actors.key },
  { value: "service_account", label: words.actors.service },
  { value: "admin_token", label: words.actors.token },
  { value: "system", label: words.actors.server },
];
const icons = { person: User, api_key: KeyRound, service_account: Bot, admin_token: Terminal, system: Bot } as const;

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
    <Panel title={words.title} flush>
      <Filters search={search} onNarrow={narrow} />
      {data === undefined ? (
        <div style={{ padding: "1rem" }}>
          <Pending fault={error} retry={refetch} height="2.4rem" count={8} />
        </div>
      ) : data.data.length === 0 ? (
        <Empty
          icon={ScrollText}
          title={words.none}
          actions={<Button onClick={() => navigate({ search: { tab: "audit" } })}>{words.showAll}</Button>}
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
        label={words.by}
        choices={actorChoices}
        value={search.actor_kind ?? ""}
        onChange={(event) => onNarrow({ actor_kind: actorKinds.find((kind) => kind === event.target.value) })}
      />
      <input
        className={kit.input}
        name="action"
        aria-label={words.actionFilter}
        placeholder={words.actionExample}
        defaultValue={search.action}
        maxLength={200}
      />
      <input
        className={kit.input}
        name="subject_id"
        aria-label={words.targetFilter}
        placeholder={words.targetExample}
        defaultValue={search.subject_id}
        maxLength={200}
      />
      <Button type="submit">{words.apply}</Button>
    </form>
  );
}

function Entries(props: { readonly rows: readonly AuditEntry[]; readonly onOpen: (row: AuditEntry) => void }) {
  return (
    <Table
      label={words.table}
      rows={props.rows}
      keyOf={({ id }) => id}
      columns={[
        { name: "at", head: words.columns.when, cell: ({ at }) => <Ago at={at} /> },
        { name: "action", head: words.columns.action, cell: ({ action }) => <code>{action}</code> },
        {
          name: "actor",
          head: words.columns.by,
          cell: ({ actor }) => (
            <Chip icon={icons[actor.kind as keyof typeof icons] ?? User} title={`${actor.kind} ${actor.id}`}>
              {actor.name ?? actor.id.slice(0, 8)}
            </Chip>
          ),
        },
        {
          name: "subject",
          head: words.columns.target,
          cell: (entry) => (
            <>
              <span className={kit.soft}>{entry.subject.kind}</span> {subjectName(entry)}{" "}
              <CopyId id={entry.subject.id} />
            </>
          ),
        },
        {
          name: "more",
          head: <span className="visually-hidden">{words.columns.details}</span>,
          align: "end",
          cell: (row) => (
            <Button small look="quiet" aria-label={words.detailsOf(row.action)} onClick={() => props.onOpen(row)}>
              {words.details}
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
          [words.columns.when, new Date(entry.at).toLocaleString()],
          [words.columns.by, `${entry.actor.name ?? ""} (${entry.actor.kind} ${entry.actor.id})`],
          [words.columns.target, `${entry.subject.kind} ${entry.subject.id}`],
          [
            words.workspace,
            entry.workspace_id ? <CopyId key="workspace" id={entry.workspace_id} short={false} /> : "–",
          ],
          [words.request, entry.request_id ? <CopyId key="request" id={entry.request_id} short={false} /> : "–"],
        ]}
      />
      <Heading>{words.before}</Heading>
      <CodeBlock code={shown(entry.before)} label={words.before} wrap />
      <Heading>{words.after}</Heading>
      <CodeBlock code={shown(entry.after)} label={words.after} wrap />
    </>
  );
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each), 2) ?? "null";
