// A batch in the list: how far all of its jobs are, the pictures so far, and one button that cancels what is left.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ban, ChevronDown, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { jobs as words } from "#strings/jobs";
import { jobName } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { formatAgo, Progress } from "../../ui/figures.tsx";
import { Thumb } from "../../ui/thumb.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { type JobGroup, stateOf } from "./job-groups.ts";
import styles from "./jobs.module.css";
import { cancelJobs, gatherJobs } from "./matching-jobs.ts";
import { statesOf } from "./tabs.ts";

export function GroupRow(props: {
  readonly group: JobGroup;
  readonly isOpen: boolean;
  readonly now: number;
  readonly onToggle: (batch: string) => void;
  readonly onChanged: () => void;
}): ReactNode {
  const { group, isOpen } = props;
  const { jobs, batch, size } = group;
  const last = jobs[0];
  if (last === undefined) return null;
  const state = stateOf(group);
  const picture = jobs.flatMap(({ outputs }) => outputs).find(({ type }) => type === "image" || type === "video");
  const name = jobName(last);
  const isGoing = state.running + state.queued > 0;
  return (
    <>
      <IconButton
        small
        label={isOpen ? words.group.fold(name) : words.group.unfold(name)}
        aria-expanded={isOpen}
        className={styles.fold}
        onClick={() => props.onToggle(batch)}
      >
        {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
      </IconButton>
      {picture ? <Thumb assetId={picture.id} alt="" size={44} /> : <span className={styles.noPicture} />}
      <div className={styles.name}>
        <Link to="/console/jobs" search={{ q: `batch=${batch}` }} className={styles.open}>
          {words.group.name(name, size)}
        </Link>
        <div className={styles.sub}>
          <time dateTime={last.created_at}>{formatAgo(new Date(last.created_at).getTime(), props.now)}</time>
          <code>{batch}</code>
        </div>
      </div>
      <div className={styles.state}>
        <span className={styles.line} data-group-state>
          {words.group.state(state, size)}
        </span>
        {isGoing ? (
          <div className={styles.bar}>
            <Progress value={state.share} label={words.list.progress(name)} />
          </div>
        ) : null}
      </div>
      <div className={styles.groupAction}>
        {isGoing ? <CancelBatch batch={batch} onChanged={props.onChanged} /> : null}
      </div>
    </>
  );
}

// Above the jobs of one batch.
export function BatchHead(props: { readonly group: JobGroup; readonly onChanged: () => void }): ReactNode {
  const { group } = props;
  const state = stateOf(group);
  return (
    <div className={styles.batchHead}>
      <span data-group-state>{words.group.state(state, group.size)}</span>
      <Progress value={state.share} label={words.group.progress} />
      {state.running + state.queued > 0 ? <CancelBatch batch={group.batch} onChanged={props.onChanged} /> : null}
    </div>
  );
}

// All that are still active, also those that are not loaded.
function CancelBatch(props: { readonly batch: string; readonly onChanged: () => void }): ReactNode {
  const cancel = useMutation({
    mutationFn: async () => {
      const active = await gatherJobs({ q: `batch=${props.batch}`, states: statesOf.active }, () => undefined);
      return cancelJobs(active.map(({ id }) => id));
    },
    onSuccess: (count) => toast(words.bulk.canceled(words.jobs(count))),
    onError: (thrown) => toastFault(thrown, words.group.notCanceled),
    onSettled: props.onChanged,
  });
  return (
    <Button
      does={operations.cancelManyJobs}
      small
      look="danger"
      disabled={cancel.isPending}
      onClick={() => cancel.mutate()}
    >
      <Ban aria-hidden="true" />
      {words.group.cancel}
    </Button>
  );
}
