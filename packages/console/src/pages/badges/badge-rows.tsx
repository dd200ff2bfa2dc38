// The operators' table behind the map: which badge is for which versions and platforms, and when it ended.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { BadgeDollarSign, Lock } from "lucide-react";
import { type ReactNode, useState } from "react";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { Typed } from "./badge-map.tsx";
import { type BadgeRow, rowsQuery } from "./badge-queries.ts";
import { notOperator } from "./publish-badge.tsx";

export function BadgeRows(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  if (account === undefined) return <Skeleton height="8rem" />;
  if (account.is_operator !== true)
    return (
      <Panel>
        <Empty
          icon={Lock}
          title="Stored badges are the operators'"
          actions={
            <Button why={notOperator} onClick={() => undefined}>
              Write a badge
            </Button>
          }
        >
          {notOperator} An operator makes you one with <code>atelier operators add</code>. What clients get is in the
          map, and the previewer works for everyone.
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
  const end = useMutation({
    mutationFn: (row: BadgeRow) => call(`/admin/badges/${row.id}/end`, { method: "POST", json: {} }),
    onSuccess: async (_, row) => {
      setDoomed(null);
      toast(`${row.node_id} shows this badge no more.`);
      await queries.invalidateQueries({ queryKey: ["badges"] });
    },
    onError: (thrown) => toastFault(thrown, "The badge was not ended"),
  });
  return (
    <Stack>
      <div style={{ maxWidth: "24rem" }}>
        <Typed
          label="Node"
          placeholder="Its whole id"
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
              title="No badge is stored"
              actions={
                <LinkButton look="primary" to="/console/badges" search={{ tab: "preview" }}>
                  Write one
                </LinkButton>
              }
            >
              Badges of prices are made by themselves from the models' definitions; what is stored here comes first.
            </Empty>
          ) : (
            <RowTable rows={data.data} onEnd={setDoomed} />
          )}
        </Panel>
      ) : null}
      <Confirm
        title="End this badge?"
        action="End it"
        isOpen={doomed !== null}
        isBusy={end.isPending}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && end.mutate(doomed)}
      >
        It is taken from all clients of <strong>{doomed?.node_id}</strong>, whatever their version. The row stays for
        the record.
      </Confirm>
    </Stack>
  );
}

function RowTable(props: { readonly rows: readonly BadgeRow[]; readonly onEnd: (row: BadgeRow) => void }): ReactNode {
  return (
    <Table
      label="Stored badges"
      rows={props.rows}
      keyOf={({ id }) => id}
      columns={[
        { name: "node", head: "Node", cell: (row) => <code>{row.node_id}</code> },
        { name: "platforms", head: "Platforms", cell: (row) => row.platforms.join(", ") },
        {
          name: "versions",
          head: "Versions",
          cell: (row) => `${row.from_version} – ${row.until_version ?? "open"}`,
        },
        {
          name: "state",
          head: "State",
          cell: (row) => (row.ended ? <Chip>Ended</Chip> : <Chip tone="ok">Shown</Chip>),
        },
        { name: "changed", head: "Changed", cell: (row) => <Ago at={row.updated_at} /> },
        {
          name: "act",
          head: <span className="visually-hidden">Actions</span>,
          align: "end",
          cell: (row) => (
            <span className={kit.actions}>
              <LinkButton
                small
                to="/console/badges"
                search={{ tab: "preview", node: row.node_id }}
                aria-label={`Preview ${row.node_id}`}
              >
                Preview
              </LinkButton>
              {row.ended ? null : (
                <Button small look="danger" aria-label={`End ${row.node_id}`} onClick={() => props.onEnd(row)}>
                  End
                </Button>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}
