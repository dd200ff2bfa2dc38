// Every model this workspace may call, works among them, and those that a key would add. Models come as one list and are searched
// here; there may be thousands of works, so the server searches those and sends what is shown.
import type { AccountModel, CallableWork, LockedModel } from "@atelier/sdk";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Box, Columns2, SearchX } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { models as words } from "#strings/models";
import { asFault } from "../../api/fault.ts";
import { accountModelsQuery, statsQuery, worksOfCatalog } from "../../api/models.ts";
import { operations } from "../../api/operations.ts";
import { readPages } from "../../api/read-query.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { LockedCard, ModelCard, WorkModelCard } from "./list/model-card.tsx";
import { ModelFilters } from "./list/model-filters.tsx";
import { type Filters, isOfModels, matches } from "./list/model-matching.ts";
import styles from "./list/models.module.css";
import { CreditWorth } from "./list/price.tsx";

const shownFirst = 48;
const lockedFirst = 8;
const worksAtOnce = 24;

export function ModelsPage(): ReactNode {
  const models = useQuery(accountModelsQuery);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <CreditWorth />
        <LinkButton to="/console/compare">
          <Columns2 aria-hidden="true" />
          {words.compareModels}
        </LinkButton>
      </PageHead>
      {models.error ? <CatalogFault fault={models.error} retry={() => void models.refetch()} /> : null}
      {models.isPending && !models.error ? (
        <div className={styles.cards}>
          <Skeleton height="19rem" />
          <Skeleton height="19rem" />
          <Skeleton height="19rem" />
        </div>
      ) : null}
      {models.data ? <Catalog callable={models.data.data} locked={models.data.locked} /> : null}
    </>
  );
}

// A catalog that is still loading is not empty, and a router that is switched off is not an error.
export function CatalogFault({ fault, retry }: { readonly fault: unknown; readonly retry: () => void }): ReactNode {
  const { status, code } = asFault(fault);
  if (code === "not_enabled")
    return (
      <Empty icon={Box} title={words.routerOff.title}>
        {status === 403 ? (
          <p>{words.routerOff.workspace}</p>
        ) : (
          <p>
            <Rich text={words.routerOff.server} setting={<code>ATELIER_ROUTER</code>} />
          </p>
        )}
      </Empty>
    );
  if (status === 503)
    return (
      <FaultNote fault={fault} title={words.loading.title} retry={retry}>
        <p className={kit.soft}>{words.loading.text}</p>
      </FaultNote>
    );
  return <FaultNote fault={fault} retry={retry} />;
}

function Catalog(props: {
  readonly callable: readonly AccountModel[];
  readonly locked: readonly LockedModel[];
}): ReactNode {
  const filters: Filters = useSearch({ from: "/console/models" });
  const navigate = useNavigate({ from: "/console/models" });
  const sought = useDeferredValue(filters);
  const works = useWorks(sought);
  const callable = props.callable.filter((model) => matches(model, sought));
  const locked = props.locked.filter((model) => matches(model, sought));
  const isNothing = callable.length + locked.length + works.found.length === 0 && !works.isLoading;
  return (
    <>
      <ModelFilters
        models={[...props.callable, ...props.locked]}
        filters={filters}
        hasWorks={works.found.length > 0 || filters.kind === "work"}
        set={(next) =>
          void navigate({ search: (now) => ({ ...now, ...next }) as Filters, replace: true, resetScroll: false })
        }
      />
      <p className="visually-hidden" role="status">
        {words.count(callable.length + works.found.length)}
      </p>
      {isNothing ? (
        <NoModels isNarrowed={Object.keys(filters).length > 0} onClear={() => void navigate({ search: {} })} />
      ) : null}
      <Callable models={callable} />
      {works.fault ? <FaultNote fault={works.fault} title={words.partly} retry={works.retry} /> : null}
      <Works works={works.found} hasMore={works.hasMore} isBusy={works.isLoading} onMore={works.more} />
      <Locked models={locked} />
    </>
  );
}

// The server searches; a page at a time.
function useWorks(filters: Filters) {
  // No longer than the server takes.
  const q = filters.q?.slice(0, 200);
  const list = useInfiniteQuery({
    ...readPages(worksOfCatalog(q), operations.listCallableWorks, { query: { q, limit: worksAtOnce } }),
    enabled: !isOfModels(filters),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return {
    found: isOfModels(filters) ? [] : (list.data?.pages.flatMap(({ data }) => data) ?? []),
    fault: list.error,
    retry: () => void list.refetch(),
    hasMore: list.hasNextPage,
    isLoading: list.isFetching,
    more: () => void list.fetchNextPage(),
  };
}

function Callable({ models }: { readonly models: readonly AccountModel[] }): ReactNode {
  const [shown, setShown] = useState(shownFirst);
  const stats = useQuery(statsQuery);
  if (models.length === 0) return null;
  return (
    <>
      {stats.error ? <FaultNote fault={stats.error} title={words.partly} retry={() => void stats.refetch()} /> : null}
      <h2 className="visually-hidden">{words.list.models}</h2>
      <ul className={styles.cards}>
        {models.slice(0, shown).map((model) => (
          <li key={model.id}>
            <ModelCard model={model} stats={stats.data?.get(model.id)} />
          </li>
        ))}
      </ul>
      <More left={models.length - shown} step={shownFirst} onMore={() => setShown(shown + shownFirst)} />
    </>
  );
}

function Works(props: {
  readonly works: readonly CallableWork[];
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  readonly onMore: () => void;
}): ReactNode {
  if (props.works.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="model-works">
      <div>
        <h2 id="model-works">{words.list.works}</h2>
        <p className={kit.soft}>{words.list.worksLead}</p>
      </div>
      <ul className={styles.cards} aria-busy={props.isBusy}>
        {props.works.map((work) => (
          <li key={work.id}>
            <WorkModelCard work={work} />
          </li>
        ))}
      </ul>
      {props.hasMore ? (
        <div className={styles.more}>
          <Button disabled={props.isBusy} onClick={props.onMore}>
            {words.list.moreWorks}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function Locked({ models }: { readonly models: readonly LockedModel[] }): ReactNode {
  const [shown, setShown] = useState(lockedFirst);
  if (models.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="model-locked">
      <div>
        <h2 id="model-locked">{words.list.locked}</h2>
        <p className={kit.soft}>{words.list.lockedLead}</p>
      </div>
      <ul className={styles.cards}>
        {models.slice(0, shown).map((model) => (
          <li key={model.id}>
            <LockedCard model={model} />
          </li>
        ))}
      </ul>
      <More left={models.length - shown} step={shownFirst} onMore={() => setShown(shown + shownFirst)} />
    </section>
  );
}

function More(props: { readonly left: number; readonly step: number; readonly onMore: () => void }): ReactNode {
  if (props.left <= 0) return null;
  return (
    <div className={styles.more}>
      <Button onClick={props.onMore}>{words.showMore(Math.min(props.step, props.left))}</Button>
    </div>
  );
}

function NoModels(props: { readonly isNarrowed: boolean; readonly onClear: () => void }): ReactNode {
  if (!props.isNarrowed)
    return (
      <Empty icon={SearchX} title={words.empty.title}>
        {words.empty.text}
      </Empty>
    );
  return (
    <Empty
      icon={SearchX}
      title={words.noMatch.title}
      actions={<Button onClick={props.onClear}>{words.noMatch.action}</Button>}
    >
      {words.noMatch.text}
    </Empty>
  );
}
