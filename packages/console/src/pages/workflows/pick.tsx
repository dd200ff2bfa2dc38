// Where a graph comes from: a file, the clipboard, an example, or an earlier job.

import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ClipboardPaste, FilePen, FileUp, Workflow, X } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { workflows as words } from "#strings/workflows";
import { configQuery } from "../../api/config.ts";
import type { Owner } from "../../api/drafts.ts";
import { jobName, recentJobsQuery } from "../../api/jobs.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { useField } from "../../ui/calls/use-draft.ts";
import { StateChip } from "../../ui/chip.tsx";
import { TextArea } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Pending } from "../../ui/states.tsx";
import { Thumb } from "../../ui/thumb.tsx";
import { examples } from "./examples.ts";
import { NoWorkflow, type Opened, openFile, openText } from "./open-workflow.ts";
import { discardWorkflow, listWorkflows } from "./workflow-drafts.ts";
import styles from "./workflows.module.css";

export function Pick({
  onOpen,
  owner,
  children,
}: {
  readonly onOpen: (opened: Opened) => void;
  readonly owner: Owner;
  // Below the place to drop a file.
  readonly children?: ReactNode;
}): ReactNode {
  const open = useMutation({
    mutationFn: (given: File | string) =>
      typeof given === "string" ? openText(words.paste.name, given) : openFile(given),
    onSuccess: onOpen,
  });
  return (
    <Stack>
      <DropBox isBusy={open.isPending} onFile={(file) => open.mutate(file)} />
      {open.error ? <NotOpened fault={open.error} /> : null}
      {children}
      <div className={styles.sources}>
        <KeptDrafts owner={owner} />
        <Recent />
        <Examples />
      </div>
      <Paste onText={(text) => open.mutate(text)} />
    </Stack>
  );
}

function DropBox(props: { readonly isBusy: boolean; readonly onFile: (file: File) => void }): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) props.onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is within does the same
    <div
      className={styles.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileUp aria-hidden="true" />
      <p>
        <strong>{words.drop.title}</strong>
        <br />
        <span className={kit.soft}>{words.drop.text}</span>
      </p>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={words.drop.file}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) props.onFile(file);
          target.value = "";
        }}
      />
      <Button look="primary" disabled={props.isBusy} onClick={() => picker.current?.click()}>
        {props.isBusy ? words.drop.busy : words.drop.choose}
      </Button>
    </div>
  );
}

function NotOpened({ fault }: { readonly fault: Error }): ReactNode {
  if (fault instanceof NoWorkflow)
    return (
      <div className={kit.fault} role="alert">
        <Heading>{words.notOpened.title}</Heading>
        <p>{fault.message}</p>
      </div>
    );
  return <FaultNote fault={fault} title={words.notOpened.notConverted} />;
}

function KeptDrafts({ owner }: { readonly owner: Owner }): ReactNode {
  const [drafts, setDrafts] = useState(() => listWorkflows(owner).slice(0, draftsShown));
  if (drafts.length === 0) return null;
  return (
    <Panel title={words.drafts.title}>
      <ul className={styles.list}>
        {drafts.map(({ id, name, at, changed }) => (
          <li key={id} className={styles.draft}>
            <Link to="/console/workflows" search={{ draft: id }} className={styles.entry}>
              <FilePen aria-hidden="true" />
              <span>
                <strong>{name}</strong>
                <span className={kit.soft}>
                  {changed === 0 ? "" : `${words.drafts.changes(changed)} · `}
                  <Ago at={new Date(at).toISOString()} />
                </span>
              </span>
            </Link>
            <IconButton
              small
              label={words.drafts.remove(name)}
              onClick={() => {
                discardWorkflow(owner, id);
                setDrafts(listWorkflows(owner).slice(0, draftsShown));
              }}
            >
              <X aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const draftsShown = 6;

function Examples(): ReactNode {
  const { data: config } = useQuery(configQuery);
  const shown = examples.filter(({ callsModel }) => !callsModel || config?.surface !== "self_hosted");
  return (
    <Panel title={words.examples.title}>
      <ul className={styles.list}>
        {shown.map(({ name, title, about }) => (
          <li key={name}>
            <Link to="/console/workflows" search={{ example: name }} className={styles.entry}>
              <Workflow aria-hidden="true" />
              <span>
                <strong>{title}</strong>
                <span className={kit.soft}>{about}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Recent(): ReactNode {
  const { data, error, refetch } = useQuery(recentJobsQuery(6));
  const jobs = data?.data ?? [];
  return (
    <Panel title={words.recent.title}>
      {data === undefined ? (
        <Pending fault={error} retry={refetch} height="3rem" />
      ) : jobs.length === 0 ? (
        <p className={kit.soft}>{words.recent.none}</p>
      ) : (
        <ul className={styles.list}>
          {jobs.map((job) => {
            const picture = job.outputs.find(({ type }) => type === "image");
            return (
              <li key={job.id}>
                <Link to="/console/workflows" search={{ job: job.id }} className={styles.entry}>
                  {picture ? <Thumb assetId={picture.id} alt="" size={36} /> : <Workflow aria-hidden="true" />}
                  <span>
                    <strong>{jobName(job)}</strong>
                    <span className={kit.soft}>
                      <Ago at={job.created_at} />
                    </span>
                  </span>
                  <StateChip state={job.status} />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

function Paste({ onText }: { readonly onText: (text: string) => void }): ReactNode {
  const [text, textField] = useField("");
  return (
    <Panel>
      <Stack>
        <TextArea label={words.paste.label} {...textField} rows={4} spellCheck={false} placeholder={words.paste.hint} />
        <div>
          <Button why={text.trim() === "" ? words.paste.nothing : null} onClick={() => onText(text)}>
            <ClipboardPaste aria-hidden="true" />
            {words.paste.action}
          </Button>
        </div>
      </Stack>
    </Panel>
  );
}
