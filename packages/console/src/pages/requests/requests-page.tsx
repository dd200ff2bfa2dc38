// Every call of a model or a partner, newest first: filtered and paged by the server, with the filters in the address, updated
// live, and each opened next to the list.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Radio } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { requests as words } from "#strings/requests";
import { keysQuery } from "../../api/account.ts";
import { configQuery } from "../../api/config.ts";
import type { QueryOf } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { readPages } from "../../api/read-query.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { outcomeQuery } from "../../ui/outcome-choice/outcome-choice.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { type Range, rangeOf } from "../../ui/range/range.ts";
import { RangeChoice } from "../../ui/range/range-choice.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ErrorList } from "./error-list.tsx";
import { RequestFilters } from "./request-filters.tsx";
import { RequestList, useFresh } from "./request-list.tsx";
import { RequestPeek } from "./request-peek.tsx";
import styles from "./requests.module.css";
import type { RequestsSearch } from "./requests-search.ts";
import { firstCall } from "./snippets.ts";

const route = getRouteApi("/console/requests");
const tailEveryMs = 2_000;
const views = [
  { name: "calls", label: words.views.calls },
  { name: "errors", label: words.views.errors },
] as const;

export function RequestsPage(): ReactNode {
  const search = route.useSearch();
  const navigate = useNavigate();
  const choose = (next: RequestsSearch) => navigate({ to: "/console/requests", search: next, replace: true });
  const range = rangeOf(search, "7d", useNow(60_000));
  const list = useRequests(search, range);
  const read = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const rows = read ?? [];
  const fresh = useFresh(read);
  const { data: keys } = useQuery({ ...keysQuery, staleTime: 60_000 });
  const nameOf = (id: string | null) => (keys ?? []).find((key) => key.id === id)?.name ?? null;
  const peek = (id: string | undefined) => choose({ ...search, peek: id });
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Button
          aria-pressed={search.tail === true}
          look={search.tail ? "primary" : undefined}
          onClick={() => choose({ ...search, tail: search.tail ? undefined : true })}
        >
          <Radio aria-hidden="true" />
          {search.tail ? words.live : words.goLive}
        </Button>
        {search.view === "errors" ? null : (
          <RangeChoice
            search={search}
            otherwise="7d"
            onChoose={(next) => choose({ ...search, range: undefined, from: undefined, to: undefined, ...next })}
          />
        )}
      </PageHead>
      <Tabs
        label={words.views.label}
        tabs={views}
        chosen={search.view ?? "calls"}
        onChoose={(view) => choose({ ...search, peek: undefined, view: view === "errors" ? view : undefined })}
      >
        <div className={styles.page} data-peek={search.peek !== undefined}>
          <Panel flush>
            <RequestFilters search={search} keys={keys ?? []} onChoose={choose} />
            {search.view === "errors" ? (
              <ErrorList search={search} isLive={search.tail === true} nameOf={nameOf} onOpen={peek} />
            ) : list.data === undefined ? (
              <div className={styles.wait}>
                <Pending fault={list.error} retry={list.refetch} height="2.4rem" count={8} />
              </div>
            ) : rows.length === 0 ? (
              <Nothing search={search} />
            ) : (
              <RequestList
                rows={rows}
                fresh={fresh}
                isLive={search.tail === true}
                opened={search.peek}
                nameOf={nameOf}
                onOpen={peek}
                more={list.hasNextPage ? () => list.fetchNextPage() : null}
                isMore={list.isFetchingNextPage}
              />
            )}
          </Panel>
          {search.peek === undefined ? null : <RequestPeek id={search.peek} onClose={() => peek(undefined)} />}
        </div>
      </Tabs>
    </>
  );
}

function useRequests(search: RequestsSearch, range: Range) {
  const filter: QueryOf<typeof operations.listUsage> = {
    from: range.from,
    to: range.to,
    family: search.family,
    subject: search.subject,
    api_key_id: search.key,
    limit: 50,
    ...outcomeQuery(search.outcome),
  };
  return useInfiniteQuery({
    ...readPages(["usage", "rows", "walk", filter], operations.listUsage, { query: filter }),
    enabled: search.view === undefined,
    // If the list is empty, poll for the first one.
    refetchInterval: ({ state }) =>
      search.tail || state.data?.pages.every(({ data }) => data.length === 0) ? tailEveryMs : false,
  });
}

function Nothing({ search }: { readonly search: RequestsSearch }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const navigate = useNavigate();
  const { peek: _, tail: __, ...filters } = search;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (isFiltered) {
    return (
      <Empty
        title={words.noMatch.title}
        actions={
          <Button onClick={() => navigate({ to: "/console/requests", search: {} })}>{words.noMatch.action}</Button>
        }
      >
        {words.noMatch.text}
      </Empty>
    );
  }
  return (
    <Empty title={words.empty.title}>
      <p className={kit.soft}>{words.empty.text}</p>
      <div className={styles.sample}>
        <CodeBlock wrap label={words.empty.code} code={firstCall(config?.base_url ?? location.origin)} />
      </div>
    </Empty>
  );
}
