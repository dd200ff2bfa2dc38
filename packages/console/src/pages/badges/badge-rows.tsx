// The operators' table behind the map: which badge is for which versions and platforms, and when it ended.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { BadgeDollarSign, Lock } from "lucide-react";
import { type ReactNode, useState } from "react";
import { badges } from "#strings/badges";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { Typed } from "./badge-map.tsx";
import { type BadgeRow, rowsQuery } from "./badge-queries.ts";

const words = badges.rows;

export function BadgeRows(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  if (account === undefined) return <Skeleton height="8rem" />;
  if (account.is_operator !== true)
    return (
      <Panel>
        <Empty
          icon={Lock}
          title={words.forOperators}
          actions={
            <Button why={badges.notOperator} onClick={() => undefined}>
              {words.write}
            </Button>
          }
        >
          <Rich text={words.forOperatorsText} command={<code>atelier operators add</code>} />
        </Empty>
      </Panel>
    );
  return <Rows />;
}

function Rows(): ReactNode {
  const { node = "" } = useSearch({ from: "/console/badges" });
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(rowsQuery(node));
  const [doomed, setDoomed] = useState<BadgeRow | null>(null);
  const queries = useQueryClient();
  const end = useChange({
    change: (row: BadgeRow) => call(operations.endBadgeRow, { params: { badgeRowId: row.id }, json: {} }),
    said: (_, row) => words.hasEnded(row.node_id),
    after: () => {
      setDoomed(null);
      return queries.invalidateQueries({ queryKey: ["badges"] });
    },
    failed: words.endFailed,
  });
  return (
    <Stack>
      <div style={{ maxWidth: "24rem" }}>
        <Typed
          label={badges.node}
          placeholder={words.nodePlaceholder}
          value={node}
          onRest={(text) =>
            navigate({ to: "/console/badges", search: { tab: "rows", ...(text === "" ? {} : { node: text }) } })
          }
        />
      </div>
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="2.8rem" count={4} /> : null}
      {data ? (
        <Panel flush>
          {data.data.length === 0 ? (
            <Empty
              icon={BadgeDollarSign}
              title={words.none}
              actions={
                <LinkButton look="primary" to="/console/badges" search={{ tab: "preview" }}>
                  {words.write}
                </LinkButton>
              }
            >
              {words.noneText}
            </Empty>
          ) : (
            <RowTable rows={data.data} onEnd={setDoomed} />
          )}
        </Panel>
      ) : null}
      <Confirm
        title={words.endTitle}
        action={words.endAction}
        isOpen={doomed !== null}
        isBusy={end.isPending}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && end.mutate(doomed)}
      >
        <Rich text={words.endText} node={<strong>{doomed?.node_id}</strong>} />
      </Confirm>
    </Stack>
  );
}

function RowTable(props: { readonly rows: readonly BadgeRow[]; readonly onEnd: (row: BadgeRow) => void }): ReactNode {
  return (
    <Table
      label={words.title}
      rows={props.rows}
      keyOf={({ id }) => id}
      columns={[
        { name: "node", head: badges.node, cell: (row) => <code>{row.node_id}</code> },
        {
          name: "platforms",
          head: words.columns.platforms,
          cell: (row) => row.platforms.map((platform) => badges.platforms[platform]).join(", "),
        },
        {
          name: "versions",
          head: words.columns.versions,
          cell: (row) => `${row.from_version} – ${row.until_version ?? words.noEnd}`,
        },
        {
          name: "state",
          head: words.columns.state,
          cell: (row) => (row.ended ? <Chip>{words.ended}</Chip> : <Chip tone="ok">{words.active}</Chip>),
        },
        { name: "changed", head: words.columns.changed, cell: (row) => <Ago at={row.updated_at} /> },
        {
          name: "act",
          head: <span className="visually-hidden">{badges.actions}</span>,
          align: "end",
          cell: (row) => (
            <span className={kit.actions}>
              <LinkButton
                small
                to="/console/badges"
                search={{ tab: "preview", node: row.node_id }}
                aria-label={badges.previewOf(row.node_id)}
              >
                {badges.preview}
              </LinkButton>
              {row.ended ? null : (
                <Button
                  does={operations.endBadgeRow}
                  small
                  look="danger"
                  aria-label={words.endOf(row.node_id)}
                  onClick={() => props.onEnd(row)}
                >
                  {words.end}
                </Button>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}
