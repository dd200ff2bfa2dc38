// Deleting waits ten seconds, during which it can be undone. Leaving the gallery meanwhile deletes nothing: we only delete while
// the person can still say no. A deleted output also disappears from its job.

import { useEffect, useRef, useState } from "react";
import { gallery } from "#strings/gallery";
import { atelier } from "../../api/atelier.ts";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { toast } from "../../ui/toast.tsx";
import { type Item, useChangeItems } from "./items.ts";

const words = gallery.deletion;
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
      if (all.size > 0) toast(words.left);
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
      const close = toast(words.soon(items.length, items[0]?.name ?? "", seconds), {
        seconds,
        action: {
          label: words.undo,
          run() {
            waiting.current.delete(cancel);
            clearTimeout(timer);
            show(ids);
            toast(words.undone);
          },
        },
      });
    },
  };
}

const deleteOne = ({ id, jobId }: Item): Promise<unknown> =>
  jobId === null ? atelier.assets.delete(id) : call(operations.deleteJobOutput, { params: { jobId, assetId: id } });

// On the self-hosted surface outputs belong to the application and are deleted with their job.
export function whyNotDeleted(item: Pick<Item, "jobId"> | undefined, surface: string | undefined): string | null {
  return item === undefined || item.jobId === null || surface === "cloud" ? null : words.outputsStay;
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
    toast(words.failed(count, reason), {
      tone: "bad",
      seconds: 10,
    });
  if (gone.size > 0) toast(words.done(gone.size));
  return gone;
}
