// Every call of this model by this workspace, newest first.
import type { UsageRow } from "@atelier/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import { models } from "#strings/models";
import { operations } from "../../api/operations.ts";
import { readPages } from "../../api/read-query.ts";
import { More } from "../../ui/calls/more.tsx";
import { Ago, formatCredits, formatDuration } from "../../ui/figures.tsx";
import { OutcomeChip } from "../../ui/outcome.tsx";
import { OutcomeChoice, outcomeQuery } from "../../ui/outcome-choice/outcome-choice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RequestLink } from "./request-link.tsx";

const words = models.requests;

const columns: readonly Column<UsageRow>[] = [
  {
    name: "outcome",
    head: words.columns.outcome,
    cell: ({ outcome, replayed }) => <OutcomeChip outcome={replayed ? "replayed" : outcome} />,
  },
  {
    name: "request",
    head: words.columns.request,
    cell: ({ request_id: id }) => (id === null ? "–" : <RequestLink id={id} />),
  },
  { name: "total", head: words.columns.took, align: "end", cell: ({ total_ms: ms }) => formatDuration(ms) },
  { name: "provider", head: words.columns.provider, align: "end", cell: ({ provider_ms: ms }) => formatDuration(ms) },
  { name: "credits", head: words.columns.credits, align: "end", cell: ({ credits }) => formatCredits(credits) },
  { name: "at", head: words.columns.when, align: "end", cell: ({ at }) => <Ago at={at} /> },
];

export function RequestsTab({ model }: { readonly model: string }): ReactNode {
  const { outcome } = useSearch({ from: "/console/models/$provider/$model" });
  const navigate = useNavigate({ from: "/console/models/$provider/$model" });
  const pages = useInfiniteQuery(
    readPages(["usage", "model", model, "pages", outcome ?? ""], operations.listUsage, {
      query: { subject: `model:${model}`, ...outcomeQuery(outcome), limit: 50 },
    }),
  );
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Panel
      title={words.title}
      flush
      actions={
        <OutcomeChoice
          outcome={outcome}
          onChoose={(next) =>
            void navigate({
              search: ({ outcome: _old, ...now }) => (next === undefined ? now : { ...now, outcome: next }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      }
    >
      {pages.error ? (
        <div style={{ padding: "1rem" }}>
          <FaultNote fault={pages.error} retry={() => void pages.refetch()} />
        </div>
      ) : null}
      {pages.isPending && !pages.error ? (
        <div style={{ padding: "1rem" }}>
          <Skeleton height="2.2rem" count={8} />
        </div>
      ) : null}
      {pages.data && rows.length === 0 ? (
        <Empty icon={Activity} title={outcome ? words.noMatch : words.empty}>
          {outcome ? words.noMatchText : words.emptyText}
        </Empty>
      ) : null}
      {rows.length > 0 ? <Table label={words.label} columns={columns} rows={rows} keyOf={({ id }) => id} /> : null}
      <More of={pages} style={{ padding: "0.9rem", display: "grid", justifyItems: "center" }}>
        {pages.isFetchingNextPage ? words.loading : words.older}
      </More>
    </Panel>
  );
}
