// Deleting waits ten seconds, during which it can be undone. Leaving the gallery meanwhile deletes nothing: we only delete while
// the person can still say no. A deleted output also disappears from its job.
import { useEffect, useRef, useState } from "react";
import { atelier } from "../../api/atelier.ts";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { toast } from "../../ui/toast.tsx";
import { type Item, useChangeItems } from "./items.ts";

const seconds = 10;

export interface DeleteLater {
  // Hidden, but not deleted yet.
  readonly hidden: ReadonlySet<string>;
  remove(items: readonly Item[]): void;
}

export function useDeleteLater(): DeleteLater {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const change = useChangeItems();
  const waiting = useRef(new Set<() => void>());
  useEffect(() => {
    const all = waiting.current;
    return () => {
      for (const cancel of all) cancel();
      if (all.size > 0) toast("Nothing was deleted: you left the gallery before the 10 seconds were over.");
      all.clear();
    };
  }, []);
  const show = (ids: ReadonlySet<string>) => setHidden((old) => new Set([...old].filter((id) => !ids.has(id))));
  return {
    hidden,
    remove(items) {
      const ids = new Set(items.map(({ id }) => id));
      setHidden((old) => new Set([...old, ...ids]));
      const cancel = () => {
        clearTimeout(timer);
        close();
      };
      const timer = setTimeout(async () => {
        waiting.current.delete(cancel);
        const gone = await deleteAll(items);
        change((item) => (gone.has(item.id) ? null : item));
        show(ids);
      }, seconds * 1_000);
      waiting.current.add(cancel);
      const close = toast(`${wordsOf(items)} will be deleted in ${seconds} seconds. Leaving this page keeps them.`, {
        seconds,
        action: {
          label: "Undo",
          run() {
            waiting.current.delete(cancel);
            clearTimeout(timer);
            show(ids);
            toast(`Nothing was deleted.`);
          },
        },
      });
    },
  };
}

const wordsOf = (items: readonly Item[]): string =>
  items.length === 1 ? `“${items[0]?.name}”` : `${items.length} files`;

const deleteOne = ({ id, jobId }: Item): Promise<unknown> =>
  jobId === null ? atelier.assets.delete(id) : call(`/account/jobs/${jobId}/outputs/${id}`, { method: "DELETE" });

// On the self-hosted surface outputs belong to the application and are deleted with their job.
export function whyNotDeleted(item: Pick<Item, "jobId"> | undefined, surface: string | undefined): string | null {
  return item === undefined || item.jobId === null || surface === "cloud"
    ? null
    : "Outputs are kept with their job until it expires; uploads can be deleted.";
}

// Returns the deleted ones; reports the others with the server's reason.
async function deleteAll(items: readonly Item[]): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  const kept = new Map<string, number>();
  const line = [...items];
  const work = async () => {
    for (let item = line.pop(); item !== undefined; item = line.pop()) {
      const { id } = item;
      await deleteOne(item).then(
        () => gone.add(id),
        (thrown) => {
          const { status, message } = asFault(thrown);
          if (status === 404) gone.add(id);
          else kept.set(message, (kept.get(message) ?? 0) + 1);
        },
      );
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  for (const [reason, count] of kept)
    toast(`${count === 1 ? "One file was" : `${count} files were`} not deleted: ${reason}`, {
      tone: "bad",
      seconds: 10,
    });
  if (gone.size > 0) toast(gone.size === 1 ? "One file was deleted." : `${gone.size} files were deleted.`);
  return gone;
}
