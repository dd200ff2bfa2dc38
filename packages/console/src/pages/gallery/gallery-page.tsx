// The gallery: everything made or uploaded, newest first. The pictures are the page.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Hourglass, Images, LayoutGrid, List, SearchX } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { gallery as words } from "#strings/gallery";
import { useWhyNot } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { onUploaded } from "../../api/uploads.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Ago, formatBytes } from "../../ui/figures.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { BoardStrip } from "./boards.tsx";
import { useDeleteLater } from "./delete-later.ts";
import { DropFiles, UploadButton } from "./drop-files.tsx";
import { Filters, useSetSearch } from "./filters.tsx";
import styles from "./gallery.module.css";
import { Grid } from "./grid.tsx";
import { type GalleryItems, galleryQuery, type Item, useGalleryItems } from "./items.ts";
import { comparedIn, filterIn, type GallerySearch, isNarrowed } from "./search.ts";
import { comparable, type Selection, useSelection } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { TableView } from "./table-view.tsx";
import { UploadPanel } from "./upload-panel.tsx";

const Viewer = lazy(() => import("./viewer/viewer.tsx").then(({ Viewer: component }) => ({ default: component })));
const Compare = lazy(() => import("./compare/compare.tsx").then(({ Compare: component }) => ({ default: component })));

export function GalleryPage(): ReactNode {
  const search = useSearch({ from: "/console/gallery" });
  const list = useGalleryItems(filterIn(search));
  const deleting = useDeleteLater();
  const items = useMemo(
    () => (deleting.hidden.size === 0 ? list.items : list.items.filter(({ id }) => !deleting.hidden.has(id))),
    [list.items, deleting.hidden],
  );
  const selection = useSelection(items);
  const set = useSetSearch();
  useFreshUploads();
  useSelectionKeys(selection, selection.ids.size > 0 && !search.asset && !search.compare);
  const compared = comparedIn(search);
  const whyNotUpload = useWhyNot(operations.createUpload);
  return (
    <div className={selection.ids.size > 0 ? styles.choosing : undefined}>
      <PageHead title={words.title}>
        <Count />
        <ViewChoice view={search.view} />
        <UploadButton />
      </PageHead>
      <Filters search={search} />
      <BoardStrip board={search.board} onBoard={(board) => set({ board })} />
      <ExpiryNote isShown={search.expiring === true} onShow={() => set({ expiring: true }, { replace: false })} />
      <Listed list={list} items={items} search={search}>
        {search.view === "table" ? (
          <TableView list={list} items={items} selection={selection} search={search} />
        ) : (
          <Grid list={list} items={items} selection={selection} search={search} />
        )}
      </Listed>
      <SelectionBar selection={selection} onDelete={deleting.remove} />
      {whyNotUpload === null ? <DropFiles /> : null}
      <UploadPanel />
      <Suspense>
        {compared.length > 0 ? (
          <Compare
            ids={compared}
            mode={search.mode}
            onMode={(mode) => set({ mode })}
            onClose={() => set({ compare: undefined, mode: undefined })}
          />
        ) : search.asset ? (
          <Viewer
            id={search.asset}
            items={items}
            hasMore={list.hasMore}
            onShow={(id) => set({ asset: id })}
            onCompare={(ids) => set({ asset: undefined, compare: ids.join(",") }, { replace: false })}
            onDelete={(item) => {
              set({ asset: undefined });
              deleting.remove([item]);
            }}
            onClose={() => set({ asset: undefined })}
            onNearEnd={list.more}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

// Says how much there is, once it is known.
function Count(): ReactNode {
  const { data } = useQuery(galleryQuery);
  return data === undefined || data.assets === 0 ? null : (
    <span className={styles.total}>{words.total(data.assets, formatBytes(data.size_bytes))}</span>
  );
}

// Before it hurts: how many files expire within a week, and a way to see and keep them.
function ExpiryNote({ isShown, onShow }: { readonly isShown: boolean; readonly onShow: () => void }): ReactNode {
  const { data } = useQuery(galleryQuery);
  if (data === undefined || data.expiring.assets === 0 || data.expiring.first_at === null) return null;
  const { assets, first_at: firstAt } = data.expiring;
  return (
    <p className={styles.expiry}>
      <Hourglass aria-hidden="true" size={16} />
      <span>
        {words.expiring(assets)} <Ago at={firstAt} />.
      </span>
      {isShown ? <span>{words.expiringHow}</span> : <Button onClick={onShow}>{words.showExpiring}</Button>}
    </p>
  );
}

function Listed(props: {
  readonly list: GalleryItems;
  readonly items: readonly Item[];
  readonly search: GallerySearch;
  readonly children: ReactNode;
}): ReactNode {
  const { list, items, search } = props;
  const set = useSetSearch();
  if (list.fault && items.length === 0) return <FaultNote fault={list.fault} retry={list.again} />;
  if (list.isPending) return <Skeleton height="11.5rem" count={3} />;
  if (items.length > 0)
    return (
      <>
        {props.children}
        {list.fault ? <FaultNote fault={list.fault} title={words.restFailed} retry={list.more} /> : null}
      </>
    );
  // A page of a label's jobs may have no matching item, while the next one does.
  if (list.hasMore) return <LookFurther list={list} />;
  return isNarrowed(search) ? (
    <Empty
      icon={SearchX}
      title={words.noMatch.title}
      actions={
        <Button onClick={() => set(Object.fromEntries(Object.keys(filterIn(search)).map((name) => [name, undefined])))}>
          {words.noMatch.clear}
        </Button>
      }
    >
      {words.noMatch.text}
    </Empty>
  ) : (
    <Empty
      icon={Images}
      title={words.empty.title}
      actions={
        <>
          <UploadButton />
          <LinkButton to="/console/workflows">{words.empty.runWorkflow}</LinkButton>
        </>
      }
    >
      {words.empty.text}
    </Empty>
  );
}

function LookFurther({ list }: { readonly list: GalleryItems }): ReactNode {
  const { isFetching } = list;
  const more = useEffectEvent(() => list.more());
  useEffect(() => {
    if (!isFetching) more();
  }, [isFetching]);
  return <Skeleton height="11.5rem" count={2} />;
}

function ViewChoice({ view }: { readonly view: "table" | undefined }): ReactNode {
  const set = useSetSearch();
  return (
    <fieldset className={styles.segments} aria-label={words.view}>
      <button type="button" aria-pressed={view === undefined} onClick={() => set({ view: undefined })}>
        <LayoutGrid aria-hidden="true" size={17} />
        <span className="visually-hidden">{words.grid}</span>
      </button>
      <button type="button" aria-pressed={view === "table"} onClick={() => set({ view: "table" })}>
        <List aria-hidden="true" size={17} />
        <span className="visually-hidden">{words.table}</span>
      </button>
    </fieldset>
  );
}

// Look for uploads immediately rather than at the next poll.
function useFreshUploads(): void {
  const queries = useQueryClient();
  useEffect(() => onUploaded(() => void queries.invalidateQueries({ queryKey: ["gallery-head"] })), [queries]);
}

// Escape clears the selection, C compares it.
function useSelectionKeys(selection: Selection, isOn: boolean): void {
  const set = useSetSearch();
  const now = useRef({ selection, set });
  now.current = { selection, set };
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input,textarea,select");
      if (event.key === "Escape") now.current.selection.clear();
      if (event.key.toLowerCase() !== "c" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const compare = comparable(now.current.selection.items);
      if (compare !== null) now.current.set({ compare, asset: undefined }, { replace: false });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOn]);
}
