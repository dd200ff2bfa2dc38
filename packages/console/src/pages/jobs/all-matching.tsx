// Cancels or runs again every job that matches the filter. Says how many there are before anything happens.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, RotateCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { jobs } from "#strings/jobs";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import type { JobsFilter } from "./job-list.ts";
import styles from "./jobs.module.css";
import { cancelJobs, gatherJobs, type Matching, matchingMax, rerunJobs } from "./matching-jobs.ts";
import { statesOf } from "./tabs.ts";

const words = jobs.matching;

type What = "cancel" | "again";

export function AllMatching(props: { readonly filter: JobsFilter; readonly onChanged: () => void }): ReactNode {
  const { status } = props.filter;
  const [what, setWhat] = useState<What | null>(null);
  const isEnded = status !== "all" && status !== "active";
  return (
    <span className={styles.matching}>
      {isEnded ? null : (
        <Button does={operations.cancelManyJobs} small look="quiet" onClick={() => setWhat("cancel")}>
          <Ban aria-hidden="true" />
          {words.cancelAll}
        </Button>
      )}
      {status === "active" ? null : (
        <Button does={operations.submitJob} small look="quiet" onClick={() => setWhat("again")}>
          <RotateCcw aria-hidden="true" />
          {words.againAll}
        </Button>
      )}
      <Dialog title={words.title[what ?? "cancel"]} isOpen={what !== null} onClose={() => setWhat(null)}>
        {what === null ? null : <Asked {...props} what={what} onClose={() => setWhat(null)} />}
      </Dialog>
    </span>
  );
}

interface AskedProps {
  readonly filter: JobsFilter;
  readonly what: What;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function Asked(props: AskedProps): ReactNode {
  const { filter, what, onClose } = props;
  const [counted, setCounted] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: ["jobs", "matching", what, filter.status, filter.q],
    // Counted afresh each time it is asked.
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) => {
      const states = what === "cancel" ? statesOf.active : statesOf[filter.status];
      return gatherJobs({ q: filter.q, states }, setCounted, signal);
    },
  });
  if (error) return <FaultNote fault={error} retry={() => void refetch()} />;
  if (data === undefined)
    return (
      <>
        <p role="status">{words.counting(jobs.jobs(counted))}</p>
        <Skeleton height="2.4rem" />
      </>
    );
  return <Confirm {...props} found={data} onClose={onClose} />;
}

function Confirm({ what, found, onChanged, onClose }: AskedProps & { readonly found: readonly Matching[] }): ReactNode {
  const [done, setDone] = useState(0);
  const act = useMutation({
    mutationFn: async () => {
      if (what === "again") {
        await rerunJobs(found, setDone);
        return found.length;
      }
      return cancelJobs(
        found.map(({ id }) => id),
        setDone,
      );
    },
    onSuccess: (count) => {
      toast((what === "cancel" ? jobs.bulk.canceled : jobs.bulk.submitted)(jobs.jobs(count)));
      onClose();
    },
    onSettled: onChanged,
  });
  const count = jobs.jobs(found.length);
  return (
    <DialogForm
      action={act.isPending ? words.progress(done, found.length) : words.action[what](count)}
      look={what === "cancel" ? "danger" : "primary"}
      isBusy={act.isPending}
      fault={act.error}
      why={found.length === 0 ? words.none[what] : null}
      onSubmit={() => act.mutate()}
      onCancel={onClose}
    >
      <p data-matching={found.length}>{found.length === 0 ? words.none[what] : words.text[what](count)}</p>
      {found.length >= matchingMax ? <p>{words.most(matchingMax)}</p> : null}
    </DialogForm>
  );
}
