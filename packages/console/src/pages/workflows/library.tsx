// The workflows that the workspace keeps: find one by its words, folder or tag, and open it.
import type { SavedWorkflow } from "@atelier/sdk";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Archive, FolderClosed, LibraryBig, SearchX, Workflow } from "lucide-react";
import type { ReactNode } from "react";
import { savedWorkflows } from "#strings/saved-workflows";
import { operations } from "../../api/operations.ts";
import { readPages } from "../../api/read-query.ts";
import { savedKey, saveWorkflow } from "../../api/saved/saved-workflows.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { CheckField, Select } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { FindBox } from "../../ui/filter-bar/find-box.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { examples } from "./examples.ts";
import { crumbsOf, foldersWithin, tagsOf } from "./folders.ts";
import { LastPicture } from "./last-picture.tsx";
import styles from "./library.module.css";

const words = savedWorkflows.library;
const route = getRouteApi("/console/workflows");
const pageSize = 48;

interface Filter {
  readonly q?: string | undefined;
  readonly folder?: string | undefined;
  readonly tag?: string | undefined;
  readonly archived?: true | undefined;
}

export function Library(): ReactNode {
  const filter: Filter = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Filter) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  const query = useSaved(filter);
  const found = query.data?.pages.flatMap(({ data }) => data);
  return (
    <Panel title={words.title} flush>
      <Filters {...{ filter, change }} tags={tagsOf(found ?? [])} />
      <Folders filter={filter} found={found ?? []} change={change} />
      <div className={styles.body}>
        {found === undefined ? (
          <Pending fault={query.error} retry={query.refetch} height="13rem" />
        ) : found.length === 0 ? (
          <NoneFound {...{ filter, change }} />
        ) : (
          <ul className={styles.cards} aria-busy={query.isPlaceholderData}>
            {found.map((workflow) => (
              <Card key={workflow.id} workflow={workflow} />
            ))}
          </ul>
        )}
        {query.hasNextPage ? (
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.more}
          </Button>
        ) : null}
      </div>
    </Panel>
  );
}

function useSaved({ q, folder, tag, archived }: Filter) {
  return useInfiniteQuery({
    ...readPages([...savedKey, "list", q, folder, tag, archived], operations.listSavedWorkflows, {
      query: { q, folder, tag, archived: archived ? "true" : undefined, limit: pageSize },
    }),
    placeholderData: keepPreviousData,
  });
}

interface FilterProps {
  readonly filter: Filter;
  readonly change: (next: Filter) => void;
}

function Filters({ filter, change, tags }: FilterProps & { readonly tags: readonly string[] }): ReactNode {
  const { q = "", tag = "", archived } = filter;
  const known = tag === "" || tags.includes(tag) ? tags : [tag, ...tags];
  return (
    <div className={styles.filters}>
      <FindBox
        className={styles.find}
        label={words.find}
        hint={words.findHint}
        text={q}
        onText={(text) => change({ q: text === "" ? undefined : text })}
      />
      {known.length === 0 ? null : (
        <Select
          label={words.tag}
          value={tag}
          choices={[{ value: "", label: words.anyTag }, ...known.map((each) => ({ value: each, label: each }))]}
          onChange={({ target }) => change({ tag: target.value === "" ? undefined : target.value })}
        />
      )}
      <CheckField
        label={words.archived}
        checked={archived === true}
        onChange={({ target }) => change({ archived: target.checked ? true : undefined })}
      />
    </div>
  );
}

function Folders(props: FilterProps & { readonly found: readonly SavedWorkflow[] }): ReactNode {
  const { folder = "" } = props.filter;
  const within = foldersWithin(folder, props.found);
  if (folder === "" && within.length === 0) return null;
  const crumbs = crumbsOf(folder);
  return (
    <nav className={styles.folders} aria-label={words.folders}>
      {folder === "" ? null : (
        <Button small look="quiet" onClick={() => props.change({ folder: undefined })}>
          {words.top}
        </Button>
      )}
      {crumbs.map(({ name, path }, at) => (
        <span key={path} className={styles.crumb}>
          <span aria-hidden="true">/</span>
          {at === crumbs.length - 1 ? (
            <strong aria-current="true">{name}</strong>
          ) : (
            <Button small look="quiet" onClick={() => props.change({ folder: path })}>
              {name}
            </Button>
          )}
        </span>
      ))}
      {within.map(({ name, path }) => (
        <Button key={path} small title={words.inFolder(name)} onClick={() => props.change({ folder: path })}>
          <FolderClosed aria-hidden="true" />
          {name}
        </Button>
      ))}
    </nav>
  );
}

function Card({ workflow }: { readonly workflow: SavedWorkflow }): ReactNode {
  const { id, name, folder, tags, version, nodes, updated_at, last_job } = workflow;
  return (
    <li className={styles.card} data-saved={id}>
      <LastPicture assetId={last_job?.picture ?? null} />
      <div className={styles.about}>
        <Link to="/console/workflows/$workflowId" params={{ workflowId: id }} className={styles.name}>
          {name}
        </Link>
        {folder === "" ? null : (
          <span className={styles.folder}>
            <FolderClosed aria-hidden="true" />
            {folder}
          </span>
        )}
        <span className={styles.meta}>
          {words.version(version)} · {words.nodes(nodes)} · <Ago at={updated_at} />
        </span>
        {tags.length === 0 ? null : (
          <span className={styles.tags}>
            {tags.map((tag) => (
              <Link key={tag} to="/console/workflows" search={(old) => ({ ...old, tag })} className={styles.tag}>
                {tag}
              </Link>
            ))}
          </span>
        )}
      </div>
    </li>
  );
}

function NoneFound({ filter, change }: FilterProps): ReactNode {
  const { q, folder, tag, archived } = filter;
  if (q !== undefined || tag !== undefined || folder !== undefined)
    return (
      <Empty
        icon={SearchX}
        title={words.noMatch.title}
        actions={
          <Button onClick={() => change({ q: undefined, tag: undefined, folder: undefined })}>
            {words.noMatch.action}
          </Button>
        }
      >
        <p>{words.noMatch.text}</p>
      </Empty>
    );
  if (archived)
    return (
      <Empty
        icon={Archive}
        title={words.noneArchived.title}
        actions={<Button onClick={() => change({ archived: undefined })}>{words.noneArchived.action}</Button>}
      >
        <p>{words.noneArchived.text}</p>
      </Empty>
    );
  return (
    <Empty icon={LibraryBig} title={words.empty.title} actions={<SaveExample />}>
      <p>{words.empty.text}</p>
    </Empty>
  );
}

// An example that costs nothing to run.
function SaveExample(): ReactNode {
  const example = examples.find(({ callsModel }) => !callsModel);
  const navigate = useNavigate();
  const save = useChange({
    change: ({ text, title: name }: (typeof examples)[number]) =>
      saveWorkflow({ text }, { name, folder: "", tags: [], note: words.empty.note }),
    stale: [savedKey],
    after: ({ id }) => void navigate({ to: "/console/workflows/$workflowId", params: { workflowId: id } }),
    failed: words.empty.failed,
  });
  if (example === undefined) return null;
  return (
    <Button does={operations.saveWorkflow} disabled={save.isPending} onClick={() => save.mutate(example)}>
      <Workflow aria-hidden="true" />
      {words.empty.example(example.title)}
    </Button>
  );
}
