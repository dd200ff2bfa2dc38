// One node: what it is, its versions and how each came to its state, its classes, and how to install it.

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Download, Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { nodes } from "#strings/nodes";
import { operations } from "../../api/operations.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { useBase } from "../../ui/snippets/use-base.ts";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { NodeClasses } from "./node-classes.tsx";
import { NodeForm } from "./node-form.tsx";
import { NodeReadme } from "./node-readme.tsx";
import { NodeVersions } from "./node-versions.tsx";
import styles from "./nodes.module.css";
import { type Node, nodeQuery, permissionQuery } from "./registry-queries.ts";
import { installNode } from "./snippets.ts";

const words = nodes.one;
type NodeTab = "readme" | "versions" | "classes";

export function NodePage(): ReactNode {
  const { nodeId } = useParams({ from: "/console/nodes/$nodeId" });
  const { data: node, error, isPending, isFetchedAfterMount, refetch } = useQuery(nodeQuery(nodeId));
  if (isPending)
    return (
      <>
        <PageHead title={nodeId} />
        <Skeleton height="12rem" count={2} />
      </>
    );
  if (error || node === undefined)
    return (
      <>
        <PageHead title={nodeId} />
        <FaultNote
          fault={error}
          retry={refetch}
          ways={
            <LinkButton small to="/console/nodes">
              {words.all}
            </LinkButton>
          }
        />
      </>
    );
  // What was read on an earlier visit may lack the readme, with which the page begins.
  return <OneNode key={isFetchedAfterMount ? "read" : "known"} node={node} />;
}

function OneNode({ node }: { readonly node: Node }): ReactNode {
  const { tab } = useSearch({ from: "/console/nodes/$nodeId" });
  const navigate = useNavigate();
  const [isEditing, setEditing] = useState(false);
  const publisherId = node.publisher?.id ?? "";
  const { data: permission } = useQuery(permissionQuery(publisherId, node.id));
  const canEdit = permission?.canEdit ?? false;
  const latest = node.latest_version;
  // As it was at first: a version that becomes active must not change the tab under the reader.
  const [first] = useState<NodeTab>(latest?.readme ? "readme" : "versions");
  const chosen = tab === "readme" && !latest?.readme ? "versions" : (tab ?? first);
  return (
    <>
      <PageHead
        title={node.name}
        lead={
          <span className={kit.actions}>
            <CopyId id={node.id} short={false} />
            {node.publisher ? <span>{words.by(node.publisher.name)}</span> : <span>{words.noPublisher}</span>}
            {node.status === "NodeStatusBanned" ? <Chip tone="bad">{nodes.banned}</Chip> : null}
          </span>
        }
      >
        {node.publisher ? (
          <Button does={operations.updateNode} onClick={() => setEditing(true)} why={canEdit ? null : words.notMember}>
            <Pencil aria-hidden="true" /> {words.edit}
          </Button>
        ) : null}
      </PageHead>
      <div className={styles.columns}>
        <div style={{ minWidth: 0 }}>
          <Tabs
            label={words.sections}
            tabs={[
              ...(latest?.readme ? [{ name: "readme", label: words.tabs.readme } as const] : []),
              { name: "versions", label: words.tabs.versions },
              { name: "classes", label: words.tabs.classes },
            ]}
            chosen={chosen}
            onChoose={(name) =>
              navigate({
                to: "/console/nodes/$nodeId",
                params: { nodeId: node.id },
                search: name === first ? {} : { tab: name },
              })
            }
          >
            <div style={{ marginTop: "1rem" }}>
              {chosen === "classes" ? <NodeClasses node={node} canEdit={canEdit} /> : null}
              {chosen === "versions" ? <NodeVersions node={node} canEdit={canEdit} /> : null}
              {chosen === "readme" && latest ? <NodeReadme node={node} version={latest.version} /> : null}
            </div>
          </Tabs>
        </div>
        <About node={node} />
      </div>
      <Dialog title={words.editOf(node.name)} isOpen={isEditing} onClose={() => setEditing(false)}>
        <NodeForm
          publisherId={publisherId}
          node={node}
          onDone={() => setEditing(false)}
          onCancel={() => setEditing(false)}
        />
      </Dialog>
    </>
  );
}

function About({ node }: { readonly node: Node }): ReactNode {
  const facts: (readonly [string, ReactNode])[] = [
    [
      words.facts.installs,
      <span key="installs" className={kit.copyable} title={nodes.installsHint}>
        <Download aria-hidden="true" size={14} /> {node.downloads.toLocaleString()}
      </span>,
    ],
    ...optional(words.facts.author, node.author),
    ...optional(
      words.facts.license,
      node.license && node.license.length < 200 && node.license !== "{}" ? node.license : undefined,
    ),
    ...(node.repository
      ? ([[words.facts.repository, <Address key="repository" of={node.repository} />]] as const)
      : []),
    ...optional(words.facts.stars, node.github_stars?.toLocaleString()),
    ...optional(words.facts.rating, node.rating ? words.rating(node.rating.toFixed(1)) : undefined),
    ...optional(words.facts.systems, node.supported_os?.join(", ")),
    ...optional(words.facts.accelerators, node.supported_accelerators?.join(", ")),
    ...optional(words.facts.application, node.supported_app_version),
    [words.facts.created, <Ago key="since" at={node.created_at} />],
  ];
  const base = useBase();
  return (
    <Stack>
      <Panel title={words.about}>
        <Stack>
          <p className={styles.about}>{node.description || nodes.noDescription}</p>
          {node.tags.length > 0 ? (
            <div className={kit.actions}>
              {node.tags.map((tag) => (
                <Chip key={tag}>{tag}</Chip>
              ))}
            </div>
          ) : null}
          <Facts of={facts} />
          {node.status_detail ? <p className={kit.soft}>{node.status_detail}</p> : null}
        </Stack>
      </Panel>
      <Panel title={words.install}>
        <Stack>
          {node.latest_version ? (
            <CodeBlock label={words.install} wrap code={installNode(base, node.id)} />
          ) : (
            <p className={kit.soft}>{words.notInstallable}</p>
          )}
          <p className={kit.soft}>
            <Rich
              text={words.runsWhere}
              author={
                <Link to="/console/nodes" search={{ q: node.publisher?.id ?? node.author ?? node.id }}>
                  {node.publisher?.name ?? node.author ?? words.others}
                </Link>
              }
            />
          </p>
        </Stack>
      </Panel>
    </Stack>
  );
}

const optional = (name: string, value: string | undefined): [string, ReactNode][] =>
  value === undefined || value === "" ? [] : [[name, value]];

// Only web addresses become links; git's own address forms stay text.
function Address({ of }: { readonly of: string }): ReactNode {
  return /^https?:\/\//i.test(of) ? (
    <a href={of} rel="noreferrer noopener" target="_blank">
      {of.replace(/^https?:\/\//i, "")}
    </a>
  ) : (
    <code>{of}</code>
  );
}
