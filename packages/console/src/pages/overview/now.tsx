// What is running now, and what was made last.
import type { Job } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Images } from "lucide-react";
import type { ReactNode } from "react";
import { overview as words } from "#strings/overview";
import { jobName, queueQuery } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Chip, StateChip } from "../../ui/chip.tsx";
import { Ago, Progress } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Pending, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { Thumb, useObjectUrl } from "../../ui/thumb.tsx";
import styles from "./overview.module.css";

export const newestPicturesQuery = readQuery(["assets", "newest-images"], operations.listAssets, {
  query: { kind: "image", limit: 6 },
});

const newestJobsQuery = readQuery(["jobs", "newest"], operations.listJobs, { query: { limit: 5 } });

export function JobsNow({ hasQueue }: { readonly hasQueue: boolean }): ReactNode {
  const queue = useQuery({ ...queueQuery, enabled: hasQueue });
  const jobs = useQuery({ ...newestJobsQuery, refetchInterval: 5_000 });
  return (
    <Panel
      title={words.jobs.title}
      flush
      actions={
        <div className={kit.actions}>
          {hasQueue ? (
            <span className={styles.queue}>
              {queue.data
                ? words.jobs.queue(queue.data.running, queue.data.queued)
                : queue.isError
                  ? words.jobs.queueUnknown
                  : null}
            </span>
          ) : null}
          {queue.data?.paused ? <Chip tone="warn">{words.jobs.paused}</Chip> : null}
          <LinkButton small to="/console/jobs">
            {words.jobs.all}
          </LinkButton>
        </div>
      }
    >
      {jobs.data ? (
        <JobList jobs={jobs.data.data} />
      ) : jobs.isError ? (
        <FaultNote fault={jobs.error} retry={() => jobs.refetch()} />
      ) : (
        <div className={styles.wait}>
          <Skeleton height="2rem" count={5} />
        </div>
      )}
    </Panel>
  );
}

function JobList({ jobs }: { readonly jobs: readonly Job[] }): ReactNode {
  if (jobs.length === 0) {
    return (
      <Empty title={words.jobs.none}>
        <Rich text={words.jobs.noneText} open={<Link to="/console/workflows">{words.jobs.open}</Link>} />
      </Empty>
    );
  }
  return (
    <ul className={styles.jobs}>
      {jobs.map((job) => (
        <li key={job.id}>
          <Link to="/console/jobs/$jobId" params={{ jobId: job.id }} className={styles.job}>
            <StateChip state={job.status} />
            <FirstOutput job={job} />
            <span className={styles.jobName}>{jobName(job)}</span>
            {job.status === "running" ? (
              <span className={styles.jobProgress}>
                <Progress value={job.progress?.value ?? null} label={words.jobs.progress} />
              </span>
            ) : null}
            <span className={styles.jobAt}>
              <Ago at={job.created_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function FirstOutput({ job }: { readonly job: Job }): ReactNode {
  const picture = job.outputs.find(({ type }) => type === "image");
  return picture ? <Thumb assetId={picture.id} alt="" size={28} /> : null;
}

export function NewestPictures(): ReactNode {
  const query = useQuery({ ...newestPicturesQuery, refetchInterval: 15_000 });
  return (
    <Panel
      title={words.images.title}
      actions={
        <LinkButton small to="/console/gallery">
          {words.images.gallery}
        </LinkButton>
      }
    >
      {query.data === undefined ? (
        <Pending fault={query.error} retry={query.refetch} height="13rem" />
      ) : query.data.data.length === 0 ? (
        <Empty icon={Images} title={words.images.none}>
          {words.images.noneText}
        </Empty>
      ) : (
        <ul className={styles.pictures}>
          {query.data.data.map(({ id, file_path, created_at }) => (
            <li key={id}>
              <a className={styles.picture} href={`/console/gallery?asset=${id}`}>
                <Picture id={id} alt={file_path ?? words.images.unnamed(created_at)} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function Picture({ id, alt }: { readonly id: string; readonly alt: string }): ReactNode {
  const url = useObjectUrl(`/api/v2/assets/${id}/thumbnail`);
  return url !== null && url !== "gone" ? <img src={url} alt={alt} /> : <span className="visually-hidden">{alt}</span>;
}
