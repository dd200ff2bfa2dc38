import type { Job } from "@atelier/sdk";
import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import { jobs as words } from "#strings/jobs";
import { useJobCharge } from "../../api/charges.ts";
import { isActive, jobName, labelsOf, ranMs, shortId } from "../../api/jobs.ts";
import { StateChip } from "../../ui/chip.tsx";
import { formatAgo, formatCredits, formatDuration, Progress } from "../../ui/figures.tsx";
import { Thumb } from "../../ui/thumb.tsx";
import styles from "./jobs.module.css";
import { lineOf } from "./words.ts";

interface RowProps {
  readonly job: Job;
  readonly now: number;
  readonly isChosen: boolean;
  readonly onToggle: (id: string, isOn: boolean) => void;
  readonly onLabel: (label: string) => void;
}

// The row of an ended job changes only when its relative time does.
export const JobRow = memo(Row, (old, next) => {
  const isSame = old.job === next.job && old.isChosen === next.isChosen && old.onToggle === next.onToggle;
  return isSame && !isActive(next.job) && agoWords(old) === agoWords(next);
});

const agoWords = ({ job, now }: RowProps) => formatAgo(new Date(job.created_at).getTime(), now);

// What the row says already, or what only the server reads.
const ownLabels = /^(name|workflow|batch|run)=/;

function Row(props: RowProps): ReactNode {
  const { job, now, isChosen } = props;
  const labels = labelsOf(job.metadata).filter((label) => !ownLabels.test(label));
  const name = jobName(job);
  const run = typeof job.metadata === "object" ? job.metadata["run"] : undefined;
  const picture = job.outputs.find(({ type }) => type === "image" || type === "video");
  const ran = ranMs(job, now);
  const charge = useJobCharge(job);
  return (
    <>
      <label className={styles.choose}>
        <input
          type="checkbox"
          aria-label={words.list.select(name)}
          checked={isChosen}
          onChange={({ target }) => props.onToggle(job.id, target.checked)}
        />
      </label>
      {picture ? <Thumb assetId={picture.id} alt="" size={44} entry={job.id} /> : <span className={styles.noPicture} />}
      <div className={styles.name}>
        <Link to="/console/jobs/$jobId" params={{ jobId: job.id }} className={styles.open}>
          {name}
        </Link>
        <div className={styles.sub}>
          <time dateTime={job.created_at} title={new Date(job.created_at).toLocaleString()}>
            {agoWords(props)}
          </time>
          <code title={job.id}>{shortId(job.id)}</code>
          {run ? <span>{run}</span> : null}
          {(typeof job.metadata === "string" ? [] : labels.slice(0, 3)).map((label) => (
            <button
              key={label}
              type="button"
              className={styles.label}
              title={words.list.withLabel(label)}
              onClick={() => props.onLabel(label)}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      <div className={styles.state}>
        <StateChip state={job.status} />
        <span className={styles.line} title={lineOf(job)}>
          {lineOf(job)}
        </span>
        {job.status === "running" ? (
          <div className={styles.bar}>
            <Progress value={job.progress?.value ?? 0} label={words.list.progress(name)} />
          </div>
        ) : null}
      </div>
      <div className={styles.figure} title={words.list.ran}>
        {ran === null ? "" : formatDuration(ran)}
      </div>
      <div className={styles.figure} title={words.list.charged}>
        {charge !== null && Number(charge) !== 0 ? words.shortCredits(formatCredits(charge)) : ""}
      </div>
    </>
  );
}
