// A saved workflow: run it with other values, save what you changed, look through its history.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Archive, ChevronLeft, History } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { savedWorkflows } from "#strings/saved-workflows";
import type { Owner } from "../../api/drafts.ts";
import { operations } from "../../api/operations.ts";
import { useOwner } from "../../api/owner.ts";
import { type Read, savedQuery } from "../../api/saved/saved-workflows.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { OpenInEditor } from "../../ui/save-workflow/open-in-editor.tsx";
import { Pending, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { documentToSave, type ToSave } from "./document-text.ts";
import { HistoryTab } from "./history-tab.tsx";
import { LastPicture } from "./last-picture.tsx";
import { openedQuery } from "./open-saved.ts";
import type { Opened } from "./open-workflow.ts";
import { type Edited, Runner } from "./runner.tsx";
import type { Base } from "./save-conflict.ts";
import { SaveVersionButton, SaveVersionDialog } from "./save-version.tsx";
import styles from "./saved.module.css";
import { SavedActions, useArchiving } from "./saved-actions.tsx";
import { keepChanges, keptChanges } from "./workflow-drafts.ts";

const FormTab = lazy(() => import("./form/form-tab.tsx").then((each) => ({ default: each.FormTab })));

const words = savedWorkflows.page;
const route = getRouteApi("/console/workflows/$workflowId");

export function SavedPage(): ReactNode {
  const { workflowId } = route.useParams();
  const owner = useOwner();
  const { data, error, refetch } = useQuery(savedQuery(workflowId));
  if (data !== undefined && owner !== undefined)
    return <Loaded key={`${workflowId} ${owner}`} read={data} owner={owner} />;
  return (
    <>
      <PageHead title={words.title} />
      <Pending
        fault={error}
        gone={words.gone}
        retry={refetch}
        ways={
          <LinkButton small to="/console/workflows">
            {words.all}
          </LinkButton>
        }
        height="6rem"
        count={4}
      />
    </>
  );
}

function Loaded({ read, owner }: { readonly read: Read; readonly owner: Owner }): ReactNode {
  const { workflow, etag } = read;
  const { tab, from, to, node } = route.useSearch();
  const navigate = route.useNavigate();
  // What is on the page, even if others save in the meantime.
  const [base, setBase] = useState<Base>({ version: workflow.version, etag });
  const [toSave, setToSave] = useState<ToSave | null>(null);
  const openLatest = () => setBase({ version: workflow.version, etag });
  return (
    <>
      <Head read={read} onFile={setToSave} />
      <Notes read={read} base={base} onOpen={openLatest} />
      <Tabs
        label={workflow.name}
        tabs={[
          { name: "run", label: words.tabs.run },
          { name: "form", label: words.tabs.form },
          { name: "history", label: words.tabs.history },
        ]}
        chosen={tab ?? "run"}
        onChoose={(name) => void navigate({ search: name === "run" ? {} : { tab: name }, replace: true })}
      >
        <div className={styles.tab}>
          {tab === "history" ? (
            <HistoryTab
              {...{ read, from, to }}
              onCompare={(compared) =>
                void navigate({ search: { tab, ...compared }, replace: true, resetScroll: false })
              }
              onRestored={() => void navigate({ search: { tab }, replace: true })}
            />
          ) : tab === "form" ? (
            <Suspense fallback={<Skeleton height="18rem" count={2} />}>
              <FormTab key={base.version} {...{ workflow, owner, base }} onSaved={setBase} />
            </Suspense>
          ) : (
            <RunTab key={base.version} {...{ read, base, owner, node }} onSave={setToSave} />
          )}
        </div>
      </Tabs>
      <SaveVersionDialog
        {...{ read, base, toSave }}
        onClose={() => setToSave(null)}
        onSaved={(next) => {
          keepChanges(owner, sourceOf(workflow.id, base.version), { edits: new Map(), labels: workflow.name });
          setToSave(null);
          setBase(next);
        }}
      />
    </>
  );
}

const sourceOf = (id: string, version: number): string => `saved.${id}.${version}`;

function Head({ read, onFile }: { readonly read: Read; readonly onFile: (toSave: ToSave) => void }): ReactNode {
  const { name, folder, tags, version, updated_at } = read.workflow;
  return (
    <>
      <Link to="/console/workflows" search={folder === "" ? {} : { folder }} className={styles.back}>
        <ChevronLeft aria-hidden="true" />
        {folder === "" ? words.all : folder}
      </Link>
      <PageHead
        title={name}
        lead={
          <span className={styles.lead}>
            <Chip tone="accent">{words.version(version)}</Chip>
            {tags.map((tag) => (
              <Link key={tag} to="/console/workflows" search={{ tag }} className={styles.tag}>
                {tag}
              </Link>
            ))}
            <span>
              <Rich text={words.changed} ago={<Ago at={updated_at} />} />
            </span>
          </span>
        }
      >
        <OpenInEditor open={{ workflow: folder === "" ? name : `${folder}/${name}` }} />
        <SavedActions read={read} onFile={onFile} />
      </PageHead>
    </>
  );
}

// What a person should know before they go on.
function Notes(props: { readonly read: Read; readonly base: Base; readonly onOpen: () => void }): ReactNode {
  const { workflow } = props.read;
  const archiving = useArchiving(props.read);
  return (
    <>
      {workflow.archived_at === null ? null : (
        <div className={styles.notice}>
          <Archive aria-hidden="true" />
          <p>
            <strong>
              <Rich text={words.archived} ago={<Ago at={workflow.archived_at} />} />
            </strong>
            <br />
            {words.archivedText}
          </p>
          <Button
            does={operations.changeSavedWorkflow}
            disabled={archiving.isPending}
            onClick={() => archiving.mutate(false)}
          >
            {words.bringBack}
          </Button>
        </div>
      )}
      {workflow.version > props.base.version ? (
        <div className={styles.notice} role="status">
          <History aria-hidden="true" />
          <p>
            <strong>{words.newer(workflow.version)}</strong>
            <br />
            {words.newerText}
          </p>
          <Button onClick={props.onOpen}>{words.openNewer(workflow.version)}</Button>
        </div>
      ) : null}
    </>
  );
}

interface RunProps {
  readonly read: Read;
  readonly base: Base;
  readonly owner: Owner;
  readonly node: string | undefined;
  readonly onSave: (toSave: ToSave) => void;
}

function RunTab({ read, base, owner, node, onSave }: RunProps): ReactNode {
  const { id, name } = read.workflow;
  const source = sourceOf(id, base.version);
  const [changes] = useState(() => keptChanges(owner, source) ?? { edits: new Map(), labels: name });
  const [reopened, setReopened] = useState<Opened | null>(null);
  const { data, error, refetch } = useQuery(openedQuery(read.workflow, base.version));
  const opened = reopened ?? data;
  if (opened === undefined) return <Pending fault={error} retry={refetch} height="9rem" count={3} />;
  const save = (edited: Edited) => (
    <SaveVersionButton
      edited={edited}
      onSave={() => onSave(documentToSave(opened, edited.graph, edited.changed > 0))}
    />
  );
  return (
    <Runner
      key={opened.said}
      {...{ opened, changes, node, save }}
      savedId={id}
      madeBy={read.workflow.last_job?.id}
      picture={<LastRun read={read} />}
      onChange={(next) => keepChanges(owner, source, next)}
      onReopen={setReopened}
    />
  );
}

function LastRun({ read: { workflow } }: { readonly read: Read }): ReactNode {
  const job = workflow.last_job;
  if (job === null || job.picture === null) return null;
  return (
    <Panel flush>
      <LastPicture assetId={job.picture} />
      <div className={styles.lastRun}>
        <strong>{words.lastRun}</strong>
        <span className={kit.soft}>
          <Ago at={job.finished_at} />
        </span>
        <Link to="/console/jobs/$jobId" params={{ jobId: job.id }}>
          {words.openJob}
        </Link>
      </div>
    </Panel>
  );
}
