// Changes stars, ratings and boards of files.
import { useQueryClient } from "@tanstack/react-query";
import { atelier } from "../../api/atelier.ts";
import { assetQuery, galleryKey, type Item, useChangeItems } from "./items.ts";
import { type TagChange, withTags } from "./marks.ts";

// Shows the change at once, and takes it back where the server refuses it.
export type Mark = (
  items: readonly Pick<Item, "id" | "tags">[],
  change: TagChange,
  onFault: (thrown: unknown) => void,
) => Promise<void>;

export function useMark(): Mark {
  const queries = useQueryClient();
  const change = useChangeItems();
  const paint = (id: string, tags: readonly string[]) => change((item) => (item.id === id ? { ...item, tags } : item));
  return async (items, marks, onFault) => {
    for (const { id, tags } of items) paint(id, withTags(tags, marks));
    for (const { id, tags } of items) {
      try {
        const asset = await atelier.assets.changeTags(id, { add: [...marks.add], remove: [...marks.remove] });
        queries.setQueryData(assetQuery(id).queryKey, asset);
      } catch (thrown) {
        paint(id, tags);
        onFault(thrown);
      }
    }
    void queries.invalidateQueries({ queryKey: galleryKey });
  };
}
