import { type Job, writeJson } from "@atelier/sdk";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { jobs } from "#strings/jobs";
import { shared } from "#strings/shared";
import { useJobCharges } from "../../api/charges.ts";
import { type Graph, type GraphNode, linkIn, titleOf } from "../../api/graphs.ts";
import { shortId } from "../../api/jobs.ts";
import { buttonClass, IconButton } from "../../ui/button.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { formatCredits, formatDuration, formatPercent } from "../../ui/figures.tsx";
import type { NodeLook } from "../../ui/graph/graph-view.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { Thumb } from "../../ui/thumb.tsx";
import styles from "./job.module.css";

const words = jobs.graph;

export function NodePanel(props: {
  readonly job: Job;
  readonly id: string;
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly look: NodeLook;
  readonly canClose: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { job, id, node, look } = props;
  const outputs = job.outputs.filter(({ node_id }) => node_id === id);
  const isFailed = job.error?.node_id === id;
  const facts: [string, ReactNode][] = [
    [words.state, <StateChip key="state" state={look.state} />],
    [
      words.class,
      <Link key="class" to="/console/classes" search={{ class: node.class_type }}>
        {node.class_type}
      </Link>,
    ],
  ];
  if (look.state === "running") facts.push([words.progress, formatPercent(look.progress)]);
  if (look.ms !== null)
    facts.push([look.state === "running" ? jobs.head.runningFor : jobs.head.ran, formatDuration(look.ms)]);
  const charge = useJobCharges(job).data?.nodes.find(({ node_id }) => node_id === id);
  if (charge) facts.push([jobs.head.charged, shared.credits(formatCredits(charge.credits))]);
  const requests = charge?.request_ids ?? [];
  if (requests.length > 0)
    facts.push([
      words.requests(requests.length),
      <span key="requests" className={styles.nodeRequests}>
        {requests.map((id) => (
          <Link key={id} to="/console/requests/$requestId" params={{ requestId: id }}>
            <code>{shortId(id)}</code>
          </Link>
        ))}
      </span>,
    ]);
  return (
    <Panel
      title={jobs.nodeNamed(titleOf(node), id)}
      actions={
        props.canClose ? (
          <IconButton small label={words.close} onClick={props.onClose}>
            <X aria-hidden="true" />
          </IconButton>
        ) : null
      }
    >
      <Stack>
        <Facts of={facts} />
        {isFailed && job.error ? (
          <div className={kit.fault}>
            <p>{job.error.message}</p>
          </div>
        ) : null}
        {outputs.length > 0 ? (
          <div className={styles.nodeThumbs}>
            {outputs.slice(0, 12).map((output) => (
              <Link key={output.id} to="/console/gallery" search={{ asset: output.id } as never} title={output.name}>
                <Thumb assetId={output.id} alt={output.name} size={72} />
              </Link>
            ))}
          </div>
        ) : null}
        <Inputs graph={props.graph} node={node} />
        <Link to="/console/workflows" search={{ job: job.id, node: id }} className={buttonClass({ small: true })}>
          {jobs.changeInputs}
        </Link>
      </Stack>
    </Panel>
  );
}

function Inputs({ graph, node }: { readonly graph: Graph; readonly node: GraphNode }): ReactNode {
  const inputs = Object.entries(node.inputs);
  if (inputs.length === 0) return <p className={kit.soft}>{words.noInputs}</p>;
  return (
    <section aria-label={words.inputs}>
      <dl className={styles.inputs}>
        {inputs.map(([name, value]) => {
          const link = linkIn(value);
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {link === null ? shown(value) : words.from(titleOf(graph[link[0]], words.unnamed), link[0], link[1])}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : writeJson(value);
  return text.length > 4_000 ? `${text.slice(0, 4_000)}…` : text;
}
