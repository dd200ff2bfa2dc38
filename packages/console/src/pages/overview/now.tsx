// What is running now, and what was made last.
import type { Job } from "@atelier/sdk";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Images } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../../api/client.ts";
import { jobName, queueQuery } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Chip, StateChip } from "../../ui/chip.tsx";
import { Ago, Progress } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Thumb, useObjectUrl } from "../../ui/thumb.tsx";
import styles from "./overview.module.css";

export const newestPicturesQuery = queryOptions({
  queryKey: ["assets", "newest pictures"],
  queryFn: ({ signal }) => call(operations.listAssets, { query: { kind: "image", limit: 6 }, signal }),
});

const newestJobsQuery = queryOptions({
  queryKey: ["jobs", "newest"],
  queryFn: ({ signal }) => call(operations.listJobs, { query: { limit: 5 }, signal }),
});

export function JobsNow({ hasQueue }: { readonly hasQueue: boolean }): ReactNode {
  const queue = useQuery({ ...queueQuery, enabled: hasQueue });
  const jobs = useQuery({ ...newestJobsQuery, refetchInterval: 5_000 });
  return (
    <Panel
      title="Jobs"
      flush
      actions={
        <div className={kit.actions}>
          {hasQueue ? (
            <span className={styles.queue}>
              {queue.data
                ? `${queue.data.running} running · ${queue.data.queued} queued`
                : queue.isError
                  ? "The queue cannot be read now"
                  : null}
            </span>
          ) : null}
          {queue.data?.paused ? <Chip tone="warn">Paused</Chip> : null}
          <LinkButton small to="/console/jobs">
            All jobs
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
      <Empty title="No job yet">
        A job runs a graph of nodes. <Link to="/console/workflows">Drop a workflow</Link> to run one.
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
                <Progress value={job.progress?.value ?? null} label="Progress" />
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
      title="Newest pictures"
      actions={
        <LinkButton small to="/console/gallery">
          Gallery
        </LinkButton>
      }
    >
      {query.data === undefined ? (
        query.isError ? (
          <FaultNote fault={query.error} retry={() => query.refetch()} />
        ) : (
          <Skeleton height="13rem" />
        )
      ) : query.data.data.length === 0 ? (
        <Empty icon={Images} title="No picture yet">
          Pictures appear here the moment a job has made them.
        </Empty>
      ) : (
        <ul className={styles.pictures}>
          {query.data.data.map(({ id, file_path, created_at }) => (
            <li key={id}>
              <a className={styles.picture} href={`/console/gallery?asset=${id}`}>
                <Picture id={id} alt={file_path ?? `Picture of ${created_at}`} />
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
