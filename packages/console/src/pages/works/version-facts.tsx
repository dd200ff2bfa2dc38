// What a version is made of: where it comes from, what it gives back, and what a worker needs to run it.
import type { Work, WorkVersion } from "@atelier/sdk";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { works } from "#strings/works/pages";
import { CopyId } from "../../ui/copy.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Facts } from "../../ui/panel.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./works.module.css";

const words = works.use.facts;

export function VersionFacts({ work, version }: { readonly work: Work; readonly version: WorkVersion }): ReactNode {
  const { needs, form } = version;
  return (
    <Facts
      of={[
        [words.id, <CopyId key="id" id={work.id} short={false} />],
        [words.version, <CopyId key="version" id={version.id} short={false} />],
        [words.published, <Published key="published" version={version} />],
        [words.workflow, <FromWorkflow key="workflow" version={version} />],
        [
          words.outputs,
          <Names key="outputs" of={form.outputs.map(({ name, label }) => (label === undefined ? name : label))} />,
        ],
        [words.classes, <Names key="classes" of={needs.node_classes.map(({ name }) => name)} />],
        [words.models, <Names key="models" of={needs.models.map(({ id }) => id)} />],
        [words.files, <Names key="files" of={needs.files.map(({ name }) => name)} />],
        ...(needs.works.length === 0
          ? []
          : [[words.works, <Names key="works" of={needs.works} />] as [string, ReactNode]]),
      ]}
    />
  );
}

function Published({ version }: { readonly version: WorkVersion }): ReactNode {
  return <Rich text={words.by} name={authorOf(version)} ago={<Ago at={version.created_at} />} />;
}

function authorOf({ created_by }: WorkVersion): string {
  if (!created_by?.name) return words.nobody;
  return created_by.kind === "key" ? words.key(created_by.name) : created_by.name;
}

function FromWorkflow({ version }: { readonly version: WorkVersion }): ReactNode {
  if (version.workflow_id === null) return words.noWorkflow;
  return (
    <Link to="/console/workflows/$workflowId" params={{ workflowId: version.workflow_id }}>
      {words.openWorkflow(version.workflow_version)}
    </Link>
  );
}

function Names({ of }: { readonly of: readonly string[] }): ReactNode {
  if (of.length === 0) return words.none;
  return (
    <ul className={styles.names}>
      {of.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}
