// Locks of applications that operators keep, newest first.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import type { ReactNode } from "react";
import { weights } from "#strings/operators/weights";
import { environmentsQuery } from "../../api/admin.ts";
import { CopyId } from "../../ui/copy.tsx";
import { Ago, formatBytes } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { InlineCode } from "../../ui/text/inline-code.tsx";
import { Pager } from "./pager.tsx";

const words = weights.environments;
const route = getRouteApi("/console/workers");

export function Environments(): ReactNode {
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({ ...environmentsQuery(cursor), placeholderData: keepPreviousData });
  if (data === undefined) return <Pending fault={error} retry={refetch} height="12rem" />;
  return (
    <Panel title={words.title} flush>
      {data.data.length === 0 ? (
        <Empty icon={Layers} title={words.none}>
          <p>
            <InlineCode text={words.noneText} />
          </p>
        </Empty>
      ) : (
        <Table
          label={words.title}
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            { name: "name", head: words.columns.name, cell: ({ name, version }) => weights.environment(name, version) },
            { name: "note", head: words.columns.note, cell: ({ note }) => note ?? "" },
            { name: "application", head: words.columns.application, cell: (each) => each.application_version },
            { name: "packs", head: words.columns.packs, align: "end", cell: ({ packs }) => packs.toLocaleString() },
            {
              name: "weights",
              head: words.columns.weights,
              align: "end",
              cell: (each) => words.weights(each.weights, formatBytes(each.weight_bytes)),
            },
            { name: "lock", head: words.columns.lock, cell: ({ lock_id }) => <CopyId id={lock_id} /> },
            { name: "made", head: words.columns.made, cell: ({ created_at }) => <Ago at={created_at} /> },
          ]}
        />
      )}
      <Pager
        isFirst={cursor === undefined}
        next={data.next_cursor}
        onTurn={(next) =>
          navigate({ search: { tab: "environments", ...(next === undefined ? {} : { cursor: next }) } })
        }
      />
    </Panel>
  );
}
