// A star is a tag on the asset, stored by the server: everyone in the workspace sees it, and lists can filter by it.

import { useQueryClient } from "@tanstack/react-query";
import { gallery } from "#strings/gallery";
import { atelier } from "../../api/atelier.ts";
import { toastFault } from "../../ui/toast.tsx";
import { assetQuery, type Item, starTag, useChangeItems } from "./items.ts";

// `tell` reports failures; by default with a toast.
export type KeepStar = (
  items: readonly Pick<Item, "id">[],
  isStarred: boolean,
  onFault?: (thrown: unknown) => void,
) => Promise<void>;

export function useStar(): KeepStar {
  const queries = useQueryClient();
  const change = useChangeItems();
  return async (items, isStarred, onFault = (thrown) => toastFault(thrown, gallery.selection.starFailed)) => {
    const paint = (ids: ReadonlySet<string>, starred: boolean) =>
      change((item) => {
        if (!ids.has(item.id)) return item;
        const tags = item.tags.filter((tag) => tag !== starTag);
        return { ...item, tags: starred ? [...tags, starTag] : tags };
      });
    paint(new Set(items.map(({ id }) => id)), isStarred);
    for (const { id } of items) {
      try {
        const asset = await atelier.assets.changeTags(id, isStarred ? { add: [starTag] } : { remove: [starTag] });
        queries.setQueryData(assetQuery(id).queryKey, asset);
      } catch (thrown) {
        paint(new Set([id]), !isStarred);
        onFault(thrown);
      }
    }
  };
}
