// Every call of this model by this workspace, the newest first.
import type { UsageRow } from "@atelier/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../../api/client.ts";
import type { UsageList } from "../../api/models.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Select } from "../../ui/fields.tsx";
import { Ago, creditsOf, spanOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RequestLink } from "./result-pane.tsx";

const outcomes = ["succeeded", "content_policy_violation", "invalid_input", "provider_error", "provider_timeout"];

const columns: readonly Column<UsageRow>[] = [
  { name: "at", head: "When", cell: ({ at }) => <Ago at={at} /> },
  { name: "outcome", head: "Outcome", cell: (row) => <Outcome row={row} /> },
  {
    name: "request",
    head: "Request",
    cell: ({ request_id: id }) => (id === null ? "–" : <RequestLink id={id} />),
  },
  { name: "total", head: "Total", align: "end", cell: ({ total_ms: ms }) => spanOf(ms) },
  { name: "provider", head: "Provider", align: "end", cell: ({ provider_ms: ms }) => spanOf(ms) },
  { name: "credits", head: "Credits", align: "end", cell: ({ credits }) => creditsOf(credits) },
];

export function RequestsTab({ model }: { readonly model: string }): ReactNode {
  const { outcome } = useSearch({ from: "/console/models/$provider/$model" });
  const navigate = useNavigate({ from: "/console/models/$provider/$model" });
  const pages = useInfiniteQuery({
    queryKey: ["usage", "model", model, "pages", outcome ?? ""],
    initialPageParam: "",
    queryFn: ({ pageParam: cursor, signal }) =>
      call<UsageList>("/account/usage", { query: { subject: `model:${model}`, outcome, limit: 50, cursor }, signal }),
    getNextPageParam: (last) => last.next_cursor ?? null,
  });
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const choices = [
    { value: "", label: "All outcomes" },
    ...[...new Set([...outcomes, ...(outcome ? [outcome] : [])])].map((value) => ({ value, label: wordsOf(value) })),
  ];
  return (
    <Panel
      title="Requests"
      flush
      actions={
        <Select
          label="Outcome"
          choices={choices}
          value={outcome ?? ""}
          onChange={(event) =>
            void navigate({
              search: ({ outcome: _old, ...now }) =>
                event.target.value === "" ? now : { ...now, outcome: event.target.value },
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
        <Empty icon={Activity} title={outcome ? "No call ended so" : "This model was not called yet"}>
          {outcome ? "Choose another outcome." : "Run it in the playground; the call is here at once."}
        </Empty>
      ) : null}
      {rows.length > 0 ? (
        <Table label="Requests of this model" columns={columns} rows={rows} keyOf={({ id }) => id} />
      ) : null}
      {pages.hasNextPage ? (
        <div style={{ padding: "0.9rem", display: "grid", justifyItems: "center" }}>
          <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {pages.isFetchingNextPage ? "Loading…" : "Show more"}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function Outcome({ row }: { readonly row: UsageRow }): ReactNode {
  const isGood = row.outcome === "succeeded";
  return (
    <span className={kit.actions}>
      <Chip tone={isGood ? "ok" : "bad"}>{wordsOf(row.outcome)}</Chip>
      {row.replayed ? <Chip tone="cached">replayed</Chip> : null}
    </span>
  );
}

const wordsOf = (outcome: string): string => outcome.replaceAll("_", " ");
