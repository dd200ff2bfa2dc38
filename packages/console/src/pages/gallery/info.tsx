// What this is and what made it: the job, the node, its texts, seed and model, and what to do with it next.

import { type Asset, graphInFile, writeJson } from "@atelier/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Braces, ExternalLink, Pin, Play, SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { useJobCharges } from "../../api/charges.ts";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { asWorkflow } from "../../api/graphs.ts";
import { jobQuery, jobWorkflowQuery } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import type { Source } from "../../api/saved/saved-workflows.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { CopyId, copyText } from "../../ui/copy.tsx";
import { Ago, formatBytes, formatCredits } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts } from "../../ui/panel.tsx";
import { OpenInEditor } from "../../ui/save-workflow/open-in-editor.tsx";
import { SaveWorkflowButton } from "../../ui/save-workflow/save-workflow.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { openBytes } from "./download.ts";
import { itemOf } from "./items.ts";
import { useKeepOne } from "./keep.ts";
import { MadeByModel } from "./made-by-model.tsx";
import { modelCallOf } from "./model-call.ts";
import { Note } from "./note.tsx";
import { Share } from "./share.tsx";
import { UseAsInput } from "./use-as-input.tsx";
import styles from "./viewer/viewer.module.css";
import { factsOf, titleOfNode } from "./workflow-facts.ts";

const words = galleryViewer.details;

export function InfoPanel(props: {
  readonly asset: Asset;
  readonly say: (words: string) => void;
  // Shown above everything else.
  readonly children: ReactNode;
}): ReactNode {
  const { asset, say } = props;
  const jobId = asset.job_id ?? null;
  return (
    <aside className={styles.info} aria-label={words.label}>
      {props.children}
      {jobId === null ? <MadeByModel asset={asset} /> : <MadeBy asset={asset} jobId={jobId} say={say} />}
      <section className={kit.actions}>
        {jobId === null && modelCallOf(asset.tags) === null && mayCarryGraph.test(asset.content_type) ? (
          <>
            <SaveWorkflowButton small name={workflowNameOf(asset)} source={() => graphCarriedBy(asset)} />
            {asset.file_path ? <OpenInEditor small open={{ picture: asset.file_path }} /> : null}
          </>
        ) : null}
        <UseAsInput asset={asset} say={say} />
        <Share asset={asset} key={asset.id} />
        {jobId !== null && asset.hash && asset.expires_at ? (
          <Keep asset={asset} say={say} key={`keep ${asset.id}`} />
        ) : null}
      </section>
      <Note assetId={asset.id} say={say} key={`note ${asset.id}`} />
      <section>
        <h3>{words.file}</h3>
        <Facts
          of={[
            [words.facts.name, asset.file_path ?? "–"],
            [words.facts.type, asset.content_type],
            [words.facts.size, formatBytes(asset.size_bytes)],
            [words.facts.hash, asset.hash ? <Hash hash={asset.hash} key="hash" /> : "–"],
            [words.facts.created, <Ago key="created" at={asset.created_at} />],
            [words.facts.expires, asset.expires_at ? <Ago key="expires" at={asset.expires_at} /> : words.never],
            [words.facts.id, <CopyId key="id" id={asset.id} />],
          ]}
        />
      </section>
    </aside>
  );
}

const mayCarryGraph = /^(image|video|audio)\//;

// The file's name without its path, ending and counter.
const workflowNameOf = ({ file_path }: Asset): string =>
  (file_path?.split("/").at(-1) ?? "").replace(/_?\d*_?\.[^.]*$/, "").slice(0, 100);

// An upload has no job; a file that a workflow saved carries its graph.
async function graphCarriedBy(asset: Asset): Promise<Source> {
  const bytes = await (await openBytes(asset)).blob();
  const found = await graphInFile(new File([bytes], asset.file_path ?? asset.id, { type: asset.content_type }));
  const graph = found?.prompt ?? found?.workflow;
  if (graph === undefined || graph === null) throw new Error(words.noGraph);
  return { text: writeJson(graph) };
}

// An output is deleted with its job; a separate record over the same bytes stays until it is deleted.
function Keep({ asset, say }: { readonly asset: Asset; readonly say: (words: string) => void }): ReactNode {
  const keepOne = useKeepOne();
  const keep = useMutation({
    mutationFn: () => keepOne(itemOf(asset)),
    onSuccess: () => say(words.keptSaid),
    onError: (thrown) => say(words.keepFailed(asFault(thrown).message)),
  });
  return (
    <Button
      does={operations.createAssetFromHash}
      small
      why={keep.isSuccess ? words.keptWhy : null}
      title={words.keepHint}
      disabled={keep.isPending}
      onClick={() => keep.mutate()}
    >
      <Pin aria-hidden="true" />
      {keep.isSuccess ? words.kept : words.keep}
    </Button>
  );
}

function Hash({ hash }: { readonly hash: string }): ReactNode {
  const { data } = useQuery({
    ...readQuery(["assets", "of hash", hash], operations.listAssets, { query: { hash, limit: 21 } }),
    staleTime: 60_000,
  });
  const others = (data?.data.length ?? 1) - 1;
  return (
    <>
      <CopyId id={hash} />
      {others > 0 ? (
        <Link
          to="/console/gallery"
          search={{ q: hash }}
          style={{ fontSize: "0.85rem", display: "block", paddingBlock: "0.2rem" }}
        >
          {words.sameBytes(others)}
        </Link>
      ) : null}
    </>
  );
}

function MadeBy(props: {
  readonly asset: Asset;
  readonly jobId: string;
  readonly say: (words: string) => void;
}): ReactNode {
  const { jobId, asset, say } = props;
  const { data: job, error: fault, refetch } = useQuery({ ...jobQuery(jobId), retry: 0 });
  const workflow = useQuery({ ...jobWorkflowQuery(jobId), retry: 0 });
  const executed = workflow.data;
  const charges = useJobCharges(job);
  const charge = charges.data?.credits ?? null;
  const error = fault ?? workflow.error ?? charges.error;
  const graph = executed?.workflow;
  const node = job?.outputs.find(({ id }) => id === asset.id)?.node_id;
  const { prompts, seeds, models } = factsOf(graph);
  const valuesOf = (found: typeof seeds) => [...new Set(found.map(({ value }) => String(value)))].join(", ");
  return (
    <>
      {prompts.length > 0 ? (
        <section>
          <h3>{words.prompt}</h3>
          {prompts.map((prompt) => (
            <div key={`${prompt.node} ${prompt.input}`}>
              {prompts.length > 1 ? <div className={styles.promptName}>{prompt.title}</div> : null}
              <Scrollable as="figure" label={`${prompt.title}, ${prompt.input}`} className={styles.prompt}>
                {String(prompt.value)}
              </Scrollable>
            </div>
          ))}
        </section>
      ) : null}
      <section>
        <h3>{words.madeBy}</h3>
        {error && asFault(error).status === 404 ? (
          <p className={kit.soft}>{words.jobGone(asFault(error).message)}</p>
        ) : error ? (
          <FaultNote
            fault={error}
            retry={() => {
              void refetch();
              void workflow.refetch();
              void charges.refetch();
            }}
          />
        ) : null}
        <Facts
          of={[
            [
              words.job,
              <Link key="job" to="/console/jobs/$jobId" params={{ jobId }}>
                {jobId.slice(0, 8)}…{jobId.slice(-4)}
              </Link>,
            ],
            ...(node === undefined ? [] : [[words.node, `${titleOfNode(graph, node) ?? ""} (${node})`] as const]),
            ...(models.length > 0 ? [[words.model, valuesOf(models)] as const] : []),
            ...(seeds.length > 0 ? [[words.seed, valuesOf(seeds)] as const] : []),
            ...(charge === null ? [] : [[words.charge, words.chargeOf(formatCredits(charge))] as const]),
          ]}
        />
      </section>
      <JobActions jobId={jobId} graph={graph} name={workflowNameOf(asset)} say={say} />
    </>
  );
}

function JobActions(props: {
  readonly jobId: string;
  readonly graph: unknown;
  // What its workflow is called unless the person says otherwise.
  readonly name: string;
  readonly say: (words: string) => void;
}): ReactNode {
  const { jobId, graph, name, say } = props;
  const navigate = useNavigate();
  const again = useMutation({
    mutationFn: () => call(operations.submitJob, { json: { workflow: asWorkflow(graph) } }),
    onSuccess: (job) => void navigate({ to: "/console/jobs/$jobId", params: { jobId: job.id } }),
    onError: (thrown) => say(words.runFailed(asFault(thrown).message)),
  });
  const missing = graph === undefined ? words.noWorkflow : null;
  return (
    <section className={kit.actions}>
      <Button
        does={operations.submitJob}
        small
        look="primary"
        why={missing}
        disabled={again.isPending}
        onClick={() => again.mutate()}
      >
        <Play aria-hidden="true" />
        {again.isPending ? words.submitting : words.runAgain}
      </Button>
      <Button
        small
        why={missing}
        onClick={async () => {
          await copyText(writeJson(graph));
          say(words.copiedWorkflow);
        }}
      >
        <Braces aria-hidden="true" />
        {words.copyWorkflow}
      </Button>
      <SaveWorkflowButton small why={missing} name={name} source={() => ({ jobId })} />
      {graph === undefined ? null : <OpenInEditor small open={{ job: jobId }} />}
      <LinkButton small to="/console/workflows" search={{ job: jobId }}>
        <SlidersHorizontal aria-hidden="true" />
        {words.runWithChanges}
      </LinkButton>
      <LinkButton small to="/console/jobs/$jobId" params={{ jobId }}>
        <ExternalLink aria-hidden="true" />
        {words.openJob}
      </LinkButton>
    </section>
  );
}
