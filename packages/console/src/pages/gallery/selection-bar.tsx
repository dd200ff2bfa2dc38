// Actions for the selected items.

import { useQuery } from "@tanstack/react-query";
import { Columns2, Download, Images, Pin, Star, Trash2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { gallery } from "#strings/gallery";
import { configQuery } from "../../api/config.ts";
import { operations } from "../../api/operations.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { formatBytes } from "../../ui/figures.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { BoardDialog } from "./boards.tsx";
import { whyNotDeleted } from "./delete-later.ts";
import { downloadOne, downloadZip, whyNoZip } from "./download.ts";
import { useSetSearch } from "./filters.tsx";
import styles from "./gallery.module.css";
import type { Item } from "./items.ts";
import { useKeep } from "./keep.ts";
import { starring, starTag } from "./marks.ts";
import { comparable, type Selection } from "./selection.ts";
import { useMark } from "./use-mark.ts";

const words = gallery.selection;

export function SelectionBar(props: {
  readonly selection: Selection;
  readonly onDelete: (items: readonly Item[]) => void;
}): ReactNode {
  const { items, clear } = props.selection;
  const set = useSetSearch();
  const mark = useMark();
  const [packed, setPacked] = useState<number | null>(null);
  const { data: config } = useQuery(configQuery);
  if (items.length === 0) return null;
  const compare = comparable(items);
  const deletable = items.filter((item) => whyNotDeleted(item, config?.surface) === null);
  const areStarred = items.every(({ tags }) => tags.includes(starTag));
  const download = async () => {
    try {
      const [only] = items;
      if (items.length === 1 && only) return await downloadOne(only);
      setPacked(0);
      const count = await downloadZip(items, setPacked);
      if (count !== null) toast(words.inZip(count));
    } catch (thrown) {
      toastFault(thrown, words.downloadFailed);
    } finally {
      setPacked(null);
    }
  };
  return (
    <section className={styles.selectionBar} aria-label={words.label}>
      <strong role="status">
        {words.summary(items.length, formatBytes(items.reduce((sum, { bytes }) => sum + bytes, 0)))}
      </strong>
      <Button
        small
        title="C"
        aria-keyshortcuts="C"
        why={compare === null ? words.compareWhy : null}
        onClick={() => set({ compare, asset: undefined }, { replace: false })}
      >
        <Columns2 aria-hidden="true" />
        {words.compare}
      </Button>
      <Button
        does={operations.changeAssetTags}
        small
        onClick={() => mark(items, starring(!areStarred), (thrown) => toastFault(thrown, words.starFailed))}
      >
        <Star aria-hidden="true" fill={areStarred ? "currentColor" : "none"} />
        {areStarred ? words.unstar : words.star}
      </Button>
      <Keeping items={items} />
      <Button small why={packed === null ? whyNoZip(items) : words.packing} onClick={download}>
        <Download aria-hidden="true" />
        {packed !== null ? words.packed(packed, items.length) : items.length === 1 ? words.download : words.downloadZip}
      </Button>
      <Button
        does={operations.deleteAsset}
        small
        look="danger"
        why={deletable.length === 0 ? whyNotDeleted(items[0], config?.surface) : null}
        onClick={() => {
          props.onDelete(deletable);
          clear();
          const kept = items.length - deletable.length;
          if (kept > 0) toast(words.outputsStay(kept));
        }}
      >
        <Trash2 aria-hidden="true" />
        {words.delete}
      </Button>
      <IconButton small label={words.clear} onClick={clear}>
        <X aria-hidden="true" />
      </IconButton>
    </section>
  );
}

// On boards, and beyond their jobs.
function Keeping({ items }: { readonly items: readonly Item[] }): ReactNode {
  const keep = useKeep();
  const [isBoarding, setBoarding] = useState(false);
  return (
    <>
      <Button does={operations.changeAssetTags} small onClick={() => setBoarding(true)}>
        <Images aria-hidden="true" />
        {gallery.boards.add}
      </Button>
      <BoardDialog items={items} isOpen={isBoarding} onClose={() => setBoarding(false)} />
      {items.some(({ expires }) => expires !== null) ? (
        <Button does={operations.createAssetFromHash} small title={words.keepHint} onClick={() => keep(items)}>
          <Pin aria-hidden="true" />
          {words.keep}
        </Button>
      ) : null}
    </>
  );
}
