// Actions on the selected jobs, and afterwards what worked and what did not.
import type { Job } from "@atelier/sdk";
import { useMutation } from "@tanstack/react-query";
import { Ban, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { jobs as words } from "#strings/jobs";
import { asFault } from "../../api/fault.ts";
import { isActive, runAgain } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField } from "../../ui/fields.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { AllMatching } from "./all-matching.tsx";
import type { JobList, JobsFilter } from "./job-list.ts";
import styles from "./jobs.module.css";
import { cancelJobs } from "./matching-jobs.ts";

export function BulkBar(props: {
  readonly list: JobList;
  readonly filter: JobsFilter;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
}): ReactNode {
  const { list, chosen, onChoose } = props;
  const jobs = list.jobs.filter(({ id }) => chosen.has(id));
  const active = jobs.filter(isActive);
  const done = () => {
    onChoose(new Set());
    void list.refresh(0);
  };
  const cancel = useMutation({ mutationFn: () => cancelAll(jobs), onSettled: done });
  const again = useMutation({ mutationFn: () => runAllAgain(jobs), onSettled: done });
  const isAll = jobs.length > 0 && jobs.length === list.jobs.length;
  return (
    <div className={styles.bulk}>
      <CheckField
        label={jobs.length === 0 ? words.bulk.selectAll : words.bulk.selected(words.jobs(jobs.length))}
        checked={isAll}
        onChange={() => onChoose(new Set(isAll ? [] : list.jobs.map(({ id }) => id)))}
      />
      {jobs.length > 0 ? (
        <>
          <Button
            does={operations.cancelManyJobs}
            small
            look="danger"
            disabled={cancel.isPending}
            why={active.length === 0 ? words.bulk.allEnded : null}
            onClick={() => cancel.mutate()}
          >
            <Ban aria-hidden="true" />
            {words.bulk.cancel(active.length)}
          </Button>
          <Button does={operations.submitJob} small disabled={again.isPending} onClick={() => again.mutate()}>
            <RotateCcw aria-hidden="true" />
            {words.runAgain}
          </Button>
          <Button small look="quiet" onClick={() => onChoose(new Set())}>
            {words.bulk.clear}
          </Button>
        </>
      ) : (
        <AllMatching filter={props.filter} onChanged={done} />
      )}
    </div>
  );
}

async function cancelAll(jobs: readonly Job[]): Promise<void> {
  let canceled = 0;
  try {
    canceled = await cancelJobs(jobs.filter(isActive).map(({ id }) => id));
  } catch (thrown) {
    toastFault(thrown, words.bulk.notAllCanceled);
    return;
  }
  const ended = jobs.length - canceled;
  const said = words.bulk.canceled(words.jobs(canceled));
  toast(ended > 0 ? `${said} ${words.bulk.alreadyEnded(words.jobs(ended))}` : said);
}

async function runAllAgain(jobs: readonly Job[]): Promise<void> {
  let submitted = 0;
  const problems = new Map<string, number>();
  // One after the other, oldest first, so that they run in their previous order.
  for (const job of jobs.toReversed()) {
    try {
      await runAgain(job);
      submitted++;
    } catch (thrown) {
      const { message } = asFault(thrown);
      problems.set(message, (problems.get(message) ?? 0) + 1);
    }
  }
  const failed = jobs.length - submitted;
  if (failed === 0) return void toast(words.bulk.submitted(words.jobs(submitted)));
  const why = Array.from(problems, ([message, count]) => words.bulk.problem(words.jobs(count), message)).join(" ");
  toast(words.bulk.notAllSubmitted(words.jobs(submitted), failed, why), { tone: "bad", seconds: 12 });
}
