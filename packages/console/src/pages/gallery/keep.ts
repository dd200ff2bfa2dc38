// Keeping an output: a separate record over the same bytes, which does not expire with the job.
import { useQueryClient } from "@tanstack/react-query";
import { gallery } from "#strings/gallery";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { toast, toastFault } from "../../ui/toast.tsx";
import { galleryKey, type Item } from "./items.ts";

type Kept = Pick<Item, "hash" | "name" | "tags">;

export function useKeepOne(): (item: Kept) => Promise<void> {
  const queries = useQueryClient();
  return async ({ hash, name, tags }) => {
    if (hash === null) return;
    await call(operations.createAssetFromHash, { json: { hash, file_path: name, tags: [...tags, "kept"].slice(-64) } });
    for (const queryKey of [["gallery-head"], ["assets"], galleryKey]) void queries.invalidateQueries({ queryKey });
  };
}

export function useKeep(): (items: readonly Item[]) => Promise<void> {
  const keepOne = useKeepOne();
  return async (items) => {
    const expiring = items.filter(({ expires, hash }) => expires !== null && hash !== null);
    try {
      for (const item of expiring) await keepOne(item);
      toast(gallery.selection.kept(expiring.length));
    } catch (thrown) {
      toastFault(thrown, gallery.selection.keepFailed);
    }
  };
}
