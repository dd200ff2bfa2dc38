// Bring a graph, change its values, see what it costs, run it. The address says where it came from: a job, an example, or a
// draft in this browser. Changes are stored, so that a reload loses nothing.
import { parseJson } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { FileX2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { workflows as words } from "#strings/workflows";
import type { Owner } from "../../api/drafts.ts";
import { readApiGraph } from "../../api/graphs.ts";
import { jobName, jobQuery, jobWorkflowQuery, metadataText, shortId } from "../../api/jobs.ts";
import { useOwner } from "../../api/owner.ts";
import { useKeeps } from "../../api/saved/saved-workflows.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { SaveWorkflowButton } from "../../ui/save-workflow/save-workflow.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { documentToSave } from "./document-text.ts";
import { examples } from "./examples.ts";
import { Library } from "./library.tsx";
import { isGalleryTemplate, OfTemplate, type TemplateSource } from "./of-template.tsx";
import type { Opened } from "./open-workflow.ts";
import { Pick } from "./pick.tsx";
import { Runner } from "./runner.tsx";
import { type Changes, keepChanges, keepWorkflow, keptChanges, keptWorkflow, labelOf } from "./workflow-drafts.ts";

const route = getRouteApi("/console/workflows");

export function WorkflowsPage(): ReactNode {
  const { job, example, template, node, draft: id } = route.useSearch();
  const navigate = route.useNavigate();
  const owner = useOwner();
  const keeps = useKeeps();
  const leave = () => void navigate({ search: {} });
  if (owner === undefined)
    return (
      <>
        <PageHead title={words.title} />
        <Skeleton height="6rem" count={4} />
      </>
    );
  if (job !== undefined) return <OfJob key={`${job} ${owner}`} id={job} {...{ node, owner }} onLeave={leave} />;
  const known = examples.find(({ name }) => name === example);
  if (known) return <OfExample key={`${known.name} ${owner}`} example={known} {...{ node, owner }} onLeave={leave} />;
  const source = isGalleryTemplate(example)
    ? { gallery: example }
    : template === undefined
      ? null
      : { operator: template };
  if (source !== null)
    return (
      <OfTemplate source={source} onLeave={leave}>
        {(opened) => <Template key={`${opened.name} ${owner}`} {...{ opened, source, node, owner }} onLeave={leave} />}
      </OfTemplate>
    );
  if (id !== undefined) return <OfDraft key={`${id} ${owner}`} id={id} {...{ node, owner }} onLeave={leave} />;
  const open = (opened: Opened) => {
    const made = crypto.randomUUID();
    keepWorkflow(owner, made, { opened, edits: new Map(), labels: labelOf(opened.name) });
    void navigate({ search: { draft: made } });
  };
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {keeps ? <LinkButton to="/console/templates">{words.templates}</LinkButton> : null}
      </PageHead>
      <Pick onOpen={open} owner={owner}>
        {keeps ? <Library /> : null}
      </Pick>
    </>
  );
}

interface SourceProps {
  readonly node: string | undefined;
  readonly owner: Owner;
  readonly onLeave: () => void;
}

function OfDraft({ id, node, owner, onLeave }: SourceProps & { readonly id: string }): ReactNode {
  const [draft, setDraft] = useState(() => keptWorkflow(owner, id));
  if (draft === null)
    return (
      <>
        <PageHead title={words.title} />
        <Empty
          icon={FileX2}
          title={words.noDraft.title}
          actions={<Button onClick={onLeave}>{words.noDraft.action}</Button>}
        >
          {words.noDraft.text}
        </Empty>
      </>
    );
  return (
    <Page
      key={draft.opened.said}
      opened={draft.opened}
      changes={draft}
      node={node}
      onLeave={onLeave}
      onChange={(changes) => keepWorkflow(owner, id, { opened: draft.opened, ...changes })}
      onReopen={(opened) => {
        const next = { ...draft, opened };
        keepWorkflow(owner, id, next);
        setDraft(next);
      }}
    />
  );
}

function OfExample(props: SourceProps & { readonly example: (typeof examples)[number] }): ReactNode {
  const { example, owner } = props;
  const source = `example.${example.name}`;
  const [opened] = useState(() => openedExample(example));
  const [changes] = useState(() => keptChanges(owner, source) ?? { edits: new Map(), labels: opened.name });
  return (
    <Page
      opened={opened}
      changes={changes}
      node={props.node}
      onLeave={props.onLeave}
      onChange={(next) => keepChanges(owner, source, next)}
    />
  );
}

function Template(props: SourceProps & { readonly opened: Opened; readonly source: TemplateSource }): ReactNode {
  const { opened, owner } = props;
  const source = `template.${Object.entries(props.source).flat().join(".")}`;
  const [changes] = useState(() => keptChanges(owner, source) ?? { edits: new Map(), labels: labelOf(opened.name) });
  return (
    <Page
      opened={opened}
      changes={changes}
      node={props.node}
      onLeave={props.onLeave}
      onChange={(next) => keepChanges(owner, source, next)}
    />
  );
}

function openedExample({ title, text, about }: (typeof examples)[number]): Opened {
  return {
    name: title,
    said: words.opened.example(about),
    graph: readApiGraph(parseJson(text)) ?? {},
    positions: null,
  };
}

function Page(props: {
  readonly opened: Opened;
  readonly changes: Changes;
  readonly node: string | undefined;
  readonly onLeave: () => void;
  readonly onChange: (changes: Changes) => boolean;
  // The job it comes from.
  readonly madeBy?: string;
  readonly onReopen?: (opened: Opened) => void;
}): ReactNode {
  const { opened } = props;
  return (
    <>
      <PageHead title={opened.name} lead={opened.said}>
        <Button onClick={props.onLeave}>{words.openAnother}</Button>
      </PageHead>
      <Runner
        opened={opened}
        changes={props.changes}
        node={props.node}
        madeBy={props.madeBy}
        onChange={props.onChange}
        onReopen={props.onReopen ?? (() => undefined)}
        save={({ graph, changed, why }) => {
          const { text, losesLayout } = documentToSave(opened, graph, changed > 0);
          const said = losesLayout ? words.losesLayout : null;
          return <SaveWorkflowButton name={labelOf(opened.name)} source={() => ({ text })} {...{ why, said }} />;
        }}
      />
    </>
  );
}

function OfJob(props: SourceProps & { readonly id: string }): ReactNode {
  const { owner } = props;
  const source = `job.${props.id}`;
  const [kept] = useState(() => keptChanges(owner, source));
  const workflow = useQuery(jobWorkflowQuery(props.id));
  const job = useQuery(jobQuery(props.id));
  const graph = readApiGraph(workflow.data?.workflow);
  // Wait for the job as well, or its labels would be lost.
  const failed = [workflow, job].filter(({ error, data }) => error && data === undefined);
  if (failed.length > 0)
    return (
      <>
        <PageHead title={words.run.withChanges} />
        <FaultNote
          fault={failed[0]?.error}
          retry={() => failed.forEach(({ refetch }) => void refetch())}
          ways={
            <Button small onClick={props.onLeave}>
              {words.openAnother}
            </Button>
          }
        />
      </>
    );
  if (graph === null || job.isPending)
    return (
      <>
        <PageHead title={words.run.withChanges} />
        <Skeleton height="6rem" count={4} />
      </>
    );
  const name = words.opened.jobName(job.data === undefined ? shortId(props.id) : jobName(job.data));
  const said = words.opened.job;
  return (
    <Page
      opened={{ name, said, graph, positions: null }}
      changes={kept ?? { edits: new Map(), labels: metadataText(job.data?.metadata) }}
      madeBy={props.id}
      node={props.node}
      onLeave={props.onLeave}
      onChange={(next) => keepChanges(owner, source, next)}
    />
  );
}
