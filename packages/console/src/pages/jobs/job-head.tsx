import type { Job } from "@atelier/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Ban, Radio, RefreshCw, RotateCcw, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { jobs } from "#strings/jobs";
import { shared } from "#strings/shared";
import { useJobCharges } from "../../api/charges.ts";
import { cancelJob, isActive, jobName, jobQuery, labelsOf, ranMs, runAgain } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip, StateChip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Ago, formatCredits, formatDuration, useNow } from "../../ui/figures.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { OpenInEditor } from "../../ui/save-workflow/open-in-editor.tsx";
import { SaveWorkflowButton } from "../../ui/save-workflow/save-workflow.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./job.module.css";
import { type LiveJob, pollMs } from "./use-live-job.ts";
import { queueWords, waitedMs } from "./words.ts";

const words = jobs.head;

export function JobHead({ live, job }: { readonly live: LiveJob; readonly job: Job }): ReactNode {
  const labels = labelsOf(job.metadata);
  const others = typeof job.metadata === "string" ? [] : labels;
  return (
    <>
      <PageHead
        title={jobName(job)}
        lead={
          <span className={styles.lead}>
            <StateChip state={job.status} />
            <Pill live={live} />
            {others.map((label) => (
              <Chip key={label} tone="accent">
                {label}
              </Chip>
            ))}
            <CopyId id={job.id} />
          </span>
        }
      >
        <Actions job={job} />
      </PageHead>
      <Times job={job} />
      <Said job={job} />
    </>
  );
}

function Pill({ live: { mode } }: { readonly live: LiveJob }): ReactNode {
  if (mode === "ended" || mode === "connecting") return null;
  return mode === "live" ? (
    <Chip tone="live" icon={Radio} title={words.liveHint}>
      {words.live}
    </Chip>
  ) : (
    <Chip tone="warn" icon={RefreshCw} title={words.pollingHint}>
      {words.polling(pollMs / 1_000)}
    </Chip>
  );
}

function Times({ job }: { readonly job: Job }): ReactNode {
  const charges = useJobCharges(job);
  const charged = charges.data?.credits ?? null;
  const now = useNow(isActive(job) ? 500 : 60_000);
  const ran = ranMs(job, isActive(job) ? now : Date.now());
  const facts: [string, ReactNode][] = [[words.submitted, <Ago key="at" at={job.created_at} />]];
  // A job that waits for a worker says so below.
  if (job.status === "queued" && job.waiting_for === undefined)
    facts.push([words.queue, queueWords(job.queue_position)]);
  if (job.status !== "queued") facts.push([words.waited, formatDuration(waitedMs(job, now))]);
  if (ran !== null) facts.push([isActive(job) ? words.runningFor : words.ran, formatDuration(ran)]);
  if (charged !== null) facts.push([words.charged, shared.credits(formatCredits(charged))]);
  if (job.outputs_reused) facts.push([words.reused, words.reusedFrom]);
  const delivery = job.output_delivery;
  if (delivery)
    facts.push([
      words.delivered,
      words.deliveredOf(delivery.delivered, delivery.delivered + delivery.pending + delivery.failed),
    ]);
  if (!isActive(job)) facts.push([words.keptUntil, new Date(job.expires_at).toLocaleDateString()]);
  return (
    <>
      <dl className={styles.times}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {charges.error ? (
        <FaultNote fault={charges.error} title={jobs.list.noCharges} retry={() => void charges.refetch()} />
      ) : null}
    </>
  );
}

function Actions({ job }: { readonly job: Job }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const cancel = useChange({
    change: () => cancelJob(job.id),
    after: (now) => {
      client.setQueryData(jobQuery(job.id).queryKey, now);
      if (now.status === "succeeded" || now.status === "failed") toast(words.alreadyEnded);
      else toast(words.canceled);
    },
    failed: words.notCanceled,
  });
  const again = useChange({
    change: () => runAgain(job),
    said: () => words.submittedAgain,
    after: ({ id }) => void navigate({ to: "/console/jobs/$jobId", params: { jobId: id } }),
    failed: words.notSubmitted,
  });
  return (
    <>
      {isActive(job) ? (
        <Button
          does={operations.cancelJob}
          look="danger"
          disabled={cancel.isPending}
          why={job.status === "canceling" ? words.canceling : null}
          onClick={() => cancel.mutate()}
        >
          <Ban aria-hidden="true" />
          {words.cancel}
        </Button>
      ) : null}
      <SaveWorkflowButton name={jobName(job).replaceAll("/", " ").slice(0, 100)} source={() => ({ jobId: job.id })} />
      <OpenInEditor open={{ job: job.id }} />
      <Button does={operations.submitJob} disabled={again.isPending} onClick={() => again.mutate()}>
        <RotateCcw aria-hidden="true" />
        {jobs.runAgain}
      </Button>
      <Link to="/console/workflows" search={{ job: job.id }} className={buttonClass({ look: "primary" })}>
        <SlidersHorizontal aria-hidden="true" />
        {words.withChanges}
      </Link>
    </>
  );
}

// For screen readers: changes of state and each quarter, not every event.
function Said({ job }: { readonly job: Job }): ReactNode {
  const quarter = job.status === "running" ? Math.floor((job.progress?.value ?? 0) * 4) * 25 : null;
  const state = words.spoken(job.status, quarter);
  const first = useRef(state);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (state !== first.current) setSaid(state);
  }, [state]);
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}
