// One job: its progress, its graph, its timeline, its outputs, its workflow, and how to run it again.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { jobs } from "#strings/jobs";
import { asFault } from "../../api/fault.ts";
import { readApiGraph } from "../../api/graphs.ts";
import { jobWorkflowQuery, shortId } from "../../api/jobs.ts";
import { LinkButton } from "../../ui/button.tsx";
import { PageHead, Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { CodeTab } from "./code-tab.tsx";
import { FailureNote } from "./failure-note.tsx";
import { JobHead } from "./job-head.tsx";
import { LiveTab } from "./live-tab.tsx";
import { OutputsTab } from "./outputs-tab.tsx";
import type { JobTab } from "./tabs.ts";
import { TimelineTab } from "./timeline-tab.tsx";
import { useLiveJob } from "./use-live-job.ts";
import { WaitingNote } from "./waiting-note.tsx";
import { WorkflowTab } from "./workflow-tab.tsx";

const words = jobs.one;
const route = getRouteApi("/console/jobs/$jobId");
const GraphTab = lazy(() => import("./graph-tab.tsx").then(({ GraphTab: component }) => ({ default: component })));

const tabs = [
  { name: "live", label: words.tabs.live },
  { name: "graph", label: words.tabs.graph },
  { name: "timeline", label: words.tabs.timeline },
  { name: "outputs", label: words.tabs.outputs },
  { name: "workflow", label: words.tabs.workflow },
  { name: "code", label: words.tabs.code },
] as const satisfies readonly { name: JobTab; label: string }[];

export function JobPage(): ReactNode {
  const { jobId } = route.useParams();
  // Another job is a new page and keeps no state of the previous one.
  return <OneJob key={jobId} id={jobId} />;
}

function OneJob({ id }: { readonly id: string }): ReactNode {
  const live = useLiveJob(id);
  const { job } = live;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  if (job === undefined) return <NotYet id={id} fault={live.fault} retry={live.retry} />;
  // A failed job opens at the node that failed.
  const chosen = search.tab ?? (job.status === "failed" && job.error?.node_id ? "graph" : "live");
  const outputs = job.outputs.length;
  return (
    <>
      <JobHead live={live} job={job} />
      <Stack>
        {live.fault ? <FaultNote fault={live.fault} title={words.stale} retry={live.retry} /> : null}
        <FailureNote job={job} />
        <WaitingNote job={job} />
        <Tabs
          label={words.about}
          tabs={tabs.map((tab) =>
            tab.name === "outputs" && outputs > 0 ? { ...tab, label: words.outputsTab(outputs) } : tab,
          )}
          chosen={chosen}
          onChoose={(tab) => void navigate({ search: (old) => ({ ...old, tab }), replace: true, resetScroll: false })}
        >
          <div>
            <Shown tab={chosen} live={{ ...live, job }} node={search.node} diff={search.diff} />
          </div>
        </Tabs>
      </Stack>
    </>
  );
}

function Shown(props: {
  readonly tab: JobTab;
  readonly live: ReturnType<typeof useLiveJob> & { readonly job: NonNullable<ReturnType<typeof useLiveJob>["job"]> };
  readonly node: string | undefined;
  readonly diff: string | undefined;
}): ReactNode {
  const { tab, live } = props;
  const { job } = live;
  const { data, error, refetch } = useQuery(jobWorkflowQuery(job.id));
  const graph = readApiGraph(data?.workflow) ?? {};
  if (tab === "live") return <LiveTab job={job} mode={live.mode} graph={graph} />;
  if (tab === "outputs") return <OutputsTab job={job} graph={graph} />;
  if (error) return <FaultNote fault={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height="20rem" />;
  if (tab === "timeline") return <TimelineTab job={job} graph={graph} />;
  if (tab === "workflow") return <WorkflowTab job={job} workflow={data.workflow} graph={graph} diff={props.diff} />;
  if (tab === "code") return <CodeTab job={job} workflow={data.workflow} />;
  return (
    <Suspense fallback={<Skeleton height="32rem" />}>
      <GraphTab job={job} graph={graph} node={props.node} />
    </Suspense>
  );
}

function NotYet(props: { readonly id: string; readonly fault: unknown; readonly retry: () => void }): ReactNode {
  return (
    <>
      <PageHead title={words.name(shortId(props.id))} />
      {props.fault ? (
        <FaultNote
          fault={props.fault}
          retry={props.retry}
          ways={
            <LinkButton small to="/console/jobs">
              {words.all}
            </LinkButton>
          }
        >
          {asFault(props.fault).status === 404 ? <p>{words.expired}</p> : null}
        </FaultNote>
      ) : (
        <Stack>
          <Skeleton height="2.6rem" />
          <Skeleton height="24rem" />
        </Stack>
      )}
    </>
  );
}
