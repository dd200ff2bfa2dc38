// Bring a graph, change what it says, see what it costs, run it. What is opened from a job or an example is in the address;
// a file stays in this tab only.
import { parseJson } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { readApiGraph } from "../../api/graphs.ts";
import { jobQuery, jobWorkflowQuery, metadataText, shortId } from "../../api/jobs.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { examples } from "./examples.ts";
import { keepOpened, keptOpened } from "./kept.ts";
import type { Opened } from "./open-workflow.ts";
import { Pick } from "./pick.tsx";
import { Runner } from "./runner.tsx";

const route = getRouteApi("/console/workflows");

export function WorkflowsPage(): ReactNode {
  const { job, example, node } = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<Opened | null>(keptOpened);
  const open = (next: Opened | null) => {
    keepOpened(next);
    setOpened(next);
    void navigate({ search: {} });
  };
  if (job !== undefined) return <OfJob key={job} id={job} node={node} onLeave={() => open(null)} />;
  const known = examples.find(({ name }) => name === example);
  const shown = known ? openedExample(known) : opened;
  if (shown === null)
    return (
      <>
        <PageHead title="Workflows" lead="Bring a graph, change what it says, see what it costs, and run it." />
        <Pick onOpen={open} />
      </>
    );
  return <Page opened={shown} node={node} onLeave={() => open(null)} />;
}

function openedExample({ title, text, about }: (typeof examples)[number]): Opened {
  return { name: title, said: `an example: ${about}`, graph: readApiGraph(parseJson(text)) ?? {}, positions: null };
}

function Page(props: {
  readonly opened: Opened;
  readonly labels?: string;
  readonly job?: string;
  readonly node: string | undefined;
  readonly onLeave: () => void;
}): ReactNode {
  const { opened } = props;
  return (
    <>
      <PageHead title={opened.name} lead={`This is ${opened.said.replace(/\.$/, "")}.`}>
        <Button onClick={props.onLeave}>Open another</Button>
      </PageHead>
      <Runner key={opened.name} opened={opened} labels={props.labels ?? ""} node={props.node} />
    </>
  );
}

function OfJob(props: {
  readonly id: string;
  readonly node: string | undefined;
  readonly onLeave: () => void;
}): ReactNode {
  const workflow = useQuery(jobWorkflowQuery(props.id));
  const job = useQuery(jobQuery(props.id));
  const graph = readApiGraph(workflow.data?.workflow);
  // Without the job its labels would be lost on the way.
  const failed = [workflow, job].filter(({ error, data }) => error && data === undefined);
  if (failed.length > 0)
    return (
      <>
        <PageHead title="Run with changes" />
        <FaultNote
          fault={failed[0]?.error}
          retry={() => failed.forEach(({ refetch }) => void refetch())}
          ways={
            <Button small onClick={props.onLeave}>
              Open another workflow
            </Button>
          }
        />
      </>
    );
  if (graph === null || job.isPending)
    return (
      <>
        <PageHead title="Run with changes" />
        <Skeleton height="6rem" count={4} />
      </>
    );
  const name = `Job ${shortId(props.id)} with changes`;
  const said = "the graph that the job ran; the job itself stays as it is";
  return (
    <Page
      opened={{ name, said, graph, positions: null }}
      labels={metadataText(job.data?.metadata)}
      job={props.id}
      node={props.node}
      onLeave={props.onLeave}
    />
  );
}
