// Every model this workspace may call, searchable by name, provider and what it makes.
import type { CatalogEntry } from "@atelier/sdk";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Boxes, Columns2, SearchX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { models as words } from "#strings/models";
import { asFault } from "../../api/fault.ts";
import { documentQuery, type ModelDocument, modelKinds, modelsQuery, statsQuery } from "../../api/models.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { kindLooks, ModelCard } from "./model-card.tsx";
import type { readModelsSearch } from "./model-search.ts";
import styles from "./models.module.css";

// We load documents for this many; the rest show only their ids until asked for.
const shownFirst = 48;

type Filters = ReturnType<typeof readModelsSearch>;

type SetFilters = (next: Partial<Record<keyof Filters, string | undefined>>) => void;

export function ModelsPage(): ReactNode {
  const search = useSearch({ from: "/console/models" });
  const models = useQuery(modelsQuery);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <LinkButton to="/console/compare">
          <Columns2 aria-hidden="true" />
          {words.compareModels}
        </LinkButton>
      </PageHead>
      {models.error ? <CatalogFault fault={models.error} retry={() => void models.refetch()} /> : null}
      {models.isPending && !models.error ? (
        <div className={styles.cards}>
          <Skeleton height="10.5rem" />
          <Skeleton height="10.5rem" />
          <Skeleton height="10.5rem" />
        </div>
      ) : null}
      {models.data ? <Catalog models={models.data} filters={search} /> : null}
    </>
  );
}

// A catalog that is still loading is not empty, and a router that is switched off is not an error.
export function CatalogFault({ fault, retry }: { readonly fault: unknown; readonly retry: () => void }): ReactNode {
  const { status, code } = asFault(fault);
  if (code === "not_enabled")
    return (
      <Empty icon={Boxes} title={words.routerOff.title}>
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

function Catalog({
  models,
  filters,
}: {
  readonly models: readonly CatalogEntry[];
  readonly filters: Filters;
}): ReactNode {
  const navigate = useNavigate({ from: "/console/models" });
  const set: SetFilters = (next) =>
    void navigate({ search: (now) => ({ ...now, ...next }) as Filters, replace: true, resetScroll: false });
  const [shown, setShown] = useState(shownFirst);
  const read = models.slice(0, Math.max(shown, shownFirst));
  const documents = useQueries({ queries: read.map(({ id }) => ({ ...documentQuery(id), retry: 0 })) });
  const byId = new Map(read.map(({ id }, at) => [id, documents[at]?.data]));
  const stats = useQuery(statsQuery);
  const unread = [stats, ...documents].filter(({ error }) => error);
  const found = models.filter((model) => matches(model, byId.get(model.id), filters));
  return (
    <>
      <CatalogFilters models={models} documents={byId} filters={filters} set={set} />
      {unread.length > 0 ? (
        <div className={styles.unread}>
          <FaultNote
            fault={unread[0]?.error}
            title={words.partly}
            retry={() => unread.forEach(({ refetch }) => void refetch())}
          />
        </div>
      ) : null}
      <p className="visually-hidden" role="status">
        {words.count(found.length)}
      </p>
      {found.length === 0 ? (
        <NoModels isNarrowed={models.length > 0} onClear={() => void navigate({ search: {} })} />
      ) : null}
      <ul className={styles.cards}>
        {found.slice(0, shown).map((model) => (
          <li key={model.id}>
            <ModelCard model={model} document={byId.get(model.id)} stats={stats.data?.get(model.id)} />
          </li>
        ))}
      </ul>
      {found.length > shown ? (
        <div className={styles.more}>
          <Button onClick={() => setShown(shown + shownFirst)}>
            {words.showMore(Math.min(shownFirst, found.length - shown))}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function CatalogFilters(props: {
  readonly models: readonly CatalogEntry[];
  readonly documents: ReadonlyMap<string, ModelDocument | undefined>;
  readonly filters: Filters;
  readonly set: SetFilters;
}): ReactNode {
  const { filters, set } = props;
  const providers = countsOf(props.models.map(({ provider }) => provider));
  const kinds = countsOf([...props.documents.values()].flatMap((document) => (document ? [document.kind] : [])));
  return (
    <search className={styles.filters}>
      <input
        type="search"
        className={kit.input}
        aria-label={words.filters.search}
        placeholder={words.filters.hint}
        defaultValue={filters.q ?? ""}
        onChange={(event) => set({ q: event.target.value || undefined })}
      />
      <fieldset className={styles.facets} aria-label={words.filters.kinds}>
        {modelKinds
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <Facet
              key={kind}
              isOn={filters.kind === kind}
              count={kinds.get(kind) ?? 0}
              onToggle={() => set({ kind: filters.kind === kind ? undefined : kind })}
            >
              {kindLooks[kind].word}
            </Facet>
          ))}
      </fieldset>
      {providers.size > 1 ? (
        <fieldset className={styles.facets} aria-label={words.filters.providers}>
          {[...providers].map(([provider, count]) => (
            <Facet
              key={provider}
              isOn={filters.provider === provider}
              count={count}
              onToggle={() => set({ provider: filters.provider === provider ? undefined : provider })}
            >
              {provider}
            </Facet>
          ))}
        </fieldset>
      ) : null}
    </search>
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

function Facet(props: {
  readonly isOn: boolean;
  readonly count: number;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <button type="button" className={styles.facet} aria-pressed={props.isOn} onClick={props.onToggle}>
      {props.children}
      <span>{props.count}</span>
    </button>
  );
}

function matches(model: CatalogEntry, document: ModelDocument | undefined, { q, provider, kind }: Filters): boolean {
  if (provider !== undefined && model.provider !== provider) return false;
  if (kind !== undefined && document?.kind !== kind) return false;
  if (q === undefined) return true;
  const said = `${model.id} ${document?.title ?? ""} ${document?.description ?? ""}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

function countsOf<Name extends string>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
