// Actions for the selected items.

import { useQuery } from "@tanstack/react-query";
import { Columns2, Download, Star, Trash2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { gallery } from "#strings/gallery";
import { configQuery } from "../../api/config.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { formatBytes } from "../../ui/figures.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { whyNotDeleted } from "./delete-later.ts";
import { downloadOne, downloadZip, whyNoZip } from "./download.ts";
import { useSetSearch } from "./filters.tsx";
import styles from "./gallery.module.css";
import { type Item, starTag } from "./items.ts";
import { comparable, type Selection } from "./selection.ts";
import { useStar } from "./stars.ts";

const words = gallery.selection;

export function SelectionBar(props: {
  readonly selection: Selection;
  readonly onDelete: (items: readonly Item[]) => void;
}): ReactNode {
  const { items, clear } = props.selection;
  const set = useSetSearch();
  const star = useStar();
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
      <Button small onClick={() => star(items, !areStarred)}>
        <Star aria-hidden="true" fill={areStarred ? "currentColor" : "none"} />
        {areStarred ? words.unstar : words.star}
      </Button>
      <Button small why={packed === null ? whyNoZip(items) : words.packing} onClick={download}>
        <Download aria-hidden="true" />
        {packed !== null ? words.packed(packed, items.length) : items.length === 1 ? words.download : words.downloadZip}
      </Button>
      <Button
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
