// What was submitted, and how it differs from another job.
import { type Job, type JobPage, writeJson } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Download, GitCompare } from "lucide-react";
import { type ReactNode, useState } from "react";
import { jobs } from "#strings/jobs";
import { shared } from "#strings/shared";
import { changesBetween, type Graph, type GraphChange, readApiGraph } from "../../api/graphs.ts";
import { jobWorkflowQuery, metadataText, recentJobsQuery, shortId } from "../../api/jobs.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { stateWord } from "../../ui/chip.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { formatAgo } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";
import { prettyJson } from "../../ui/workflow-form/pretty-json.ts";
import styles from "./job.module.css";

const words = jobs.workflow;
const route = getRouteApi("/console/jobs/$jobId");

export function WorkflowTab(props: {
  readonly job: Job;
  readonly workflow: unknown;
  readonly graph: Graph;
  readonly diff: string | undefined;
}): ReactNode {
  const { job, workflow, graph, diff } = props;
  const text = prettyJson(workflow);
  return (
    <Stack>
      <Panel title={words.compare} actions={<GitCompare aria-hidden="true" size={18} />}>
        <Stack>
          <OtherJob job={job} diff={diff} />
          {diff === undefined ? null : <Changes job={job} graph={graph} other={diff} />}
        </Stack>
      </Panel>
      <Panel
        title={words.submitted}
        actions={
          <Button small onClick={() => saveJson(`job-${shortId(job.id)}.json`, text)}>
            <Download aria-hidden="true" />
            {shared.download}
          </Button>
        }
      >
        <CodeBlock code={text} label={words.json} />
      </Panel>
    </Stack>
  );
}

function OtherJob({ job, diff }: { readonly job: Job; readonly diff: string | undefined }): ReactNode {
  const navigate = route.useNavigate();
  const { data } = useQuery(recentJobsQuery(30));
  const choose = (other: string) =>
    void navigate({
      search: (old) => ({ ...old, tab: "workflow" as const, diff: other === "" ? undefined : other }) as typeof old,
      replace: true,
      resetScroll: false,
    });
  const [isById, setById] = useState(false);
  const others = othersIn(data, job.id);
  const isListed = diff === undefined || others.some(({ value }) => value === diff);
  return (
    <>
      <SelectField
        label={words.compareWith}
        value={isById ? byId : (diff ?? "")}
        onChange={({ target }) => {
          setById(target.value === byId);
          if (target.value !== byId) choose(target.value);
        }}
        choices={[
          { value: "", label: words.chooseJob },
          ...(isListed || diff === undefined ? [] : [{ value: diff, label: jobs.one.name(diff) }]),
          ...others,
          { value: byId, label: words.byId },
        ]}
      />
      {isById ? <JobById onChoose={choose} /> : null}
    </>
  );
}

// An option that is not a job.
const byId = "by-id";
const jobIdPattern = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

// Takes an id, or an address that contains one.
function JobById({ onChoose }: { readonly onChoose: (id: string) => void }): ReactNode {
  const [text, setText] = useState("");
  const id = jobIdPattern.exec(text)?.[0].toLowerCase();
  return (
    <TextField
      label={words.idOrUrl}
      value={text}
      spellCheck={false}
      autoComplete="off"
      wrong={text.trim() === "" || id !== undefined ? null : words.notId}
      onChange={({ target }) => {
        setText(target.value);
        const found = jobIdPattern.exec(target.value)?.[0].toLowerCase();
        if (found !== undefined) onChoose(found);
      }}
    />
  );
}

function othersIn(
  page: JobPage | undefined,
  own: string,
): readonly { readonly value: string; readonly label: string }[] {
  return (page?.data ?? []).flatMap(({ id, created_at, metadata, status }) => {
    const ago = formatAgo(new Date(created_at).getTime(), Date.now());
    const label = metadataText(metadata);
    const parts = [shortId(id), stateWord(status), ago, ...(label ? [label] : [])];
    return id === own ? [] : [{ value: id, label: parts.join(" · ") }];
  });
}

function Changes(props: { readonly job: Job; readonly graph: Graph; readonly other: string }): ReactNode {
  const { data, error, refetch } = useQuery(jobWorkflowQuery(props.other));
  if (error) return <FaultNote fault={error} title={words.notLoaded} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height="6rem" />;
  const other = readApiGraph(data.workflow) ?? {};
  const changes = changesBetween(other, props.graph, writeJson);
  if (changes.length === 0)
    return (
      <Empty title={words.same}>
        <p>{words.sameText}</p>
      </Empty>
    );
  return (
    <>
      <p className={kit.soft}>
        <Rich
          text={words.legend}
          count={words.differences(changes.length)}
          job={
            <LinkButton small look="quiet" to="/console/jobs/$jobId" params={{ jobId: props.other }}>
              {words.job(shortId(props.other))}
            </LinkButton>
          }
        />
      </p>
      <div className={styles.changes}>
        {changes.slice(0, 500).map((change) => (
          <Change key={`${change.nodeId} ${change.input}`} change={change} />
        ))}
      </div>
    </>
  );
}

function Change({ change }: { readonly change: GraphChange }): ReactNode {
  const { nodeId, title, input, kind, before, after } = change;
  return (
    <div className={styles.change} data-change={`${nodeId}.${input ?? ""}`}>
      <div>
        <strong>{input ?? (kind === "changed" ? words.class : words.node)}</strong>
        <small>{words.where(title, nodeId, words.changed[kind])}</small>
      </div>
      <div>
        {before === undefined ? null : <del>{valueText(before)}</del>}
        {after === undefined ? null : <ins>{valueText(after)}</ins>}
      </div>
    </div>
  );
}

const valueText = (value: unknown) => (typeof value === "string" ? value : writeJson(value));

const saveJson = (name: string, text: string) => saveFile(new Blob([text], { type: "application/json" }), name);
