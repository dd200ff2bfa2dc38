// The versions as a timeline: each with its state and, for its publisher, the reason.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { PackageOpen } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { nodes } from "#strings/nodes";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Ago, formatBytes } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { useBase } from "../../ui/snippets/use-base.ts";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Capabilities } from "./node-capabilities.tsx";
import styles from "./nodes.module.css";
import { type Node, type NodeVersion, nodeQuery, versionsQuery } from "./registry-queries.ts";
import { publishNode } from "./snippets.ts";
import { VersionReview } from "./version-review.tsx";
import { stateOf, VersionChip } from "./version-state.tsx";

const words = nodes.versions;

export function NodeVersions({ node, canEdit }: { readonly node: Node; readonly canEdit: boolean }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(versionsQuery(node.id));
  const base = useBase();
  useFreshNode(node, data);
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (isPending) return <Skeleton height="5rem" count={3} />;
  if (data.length === 0)
    return (
      <Panel>
        <Empty icon={PackageOpen} title={words.none}>
          {canEdit ? words.publishOne : words.noneByPublisher}
        </Empty>
        {canEdit ? (
          <CodeBlock label={words.howTo} code={publishNode(base, node.id, node.publisher?.id ?? "…")} />
        ) : null}
      </Panel>
    );
  return (
    <Panel>
      <ol className={styles.timeline}>
        {data.map((version) => (
          <OneVersion key={version.id} node={node} version={version} canEdit={canEdit} />
        ))}
      </ol>
    </Panel>
  );
}

// When a version's state changes, the node's latest version may change too.
function useFreshNode(node: Node, versions: readonly NodeVersion[] | undefined): void {
  const queries = useQueryClient();
  const states = versions?.map(({ id, status }) => `${id} ${status}`).join();
  const hasActive = versions?.some(({ status }) => status === "NodeVersionStatusActive") ?? false;
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (states === undefined || states === known.current) return;
    const isFirst = known.current === undefined && !(hasActive && !node.latest_version);
    known.current = states;
    if (!isFirst) void queries.invalidateQueries({ queryKey: nodeQuery(node.id).queryKey, exact: true });
  }, [states, hasActive, node, queries]);
}

function OneVersion(props: {
  readonly node: Node;
  readonly version: NodeVersion;
  readonly canEdit: boolean;
}): ReactNode {
  const { node, version, canEdit } = props;
  const isTroubled = version.status === "NodeVersionStatusFlagged" || version.status === "NodeVersionStatusBanned";
  const [isOpen, setOpen] = useState(isTroubled);
  const isLatest = node.latest_version?.id === version.id;
  return (
    <li className={styles.version}>
      <span className={styles.dot} data-tone={stateOf(version)[0]} aria-hidden="true" />
      <div className={styles.versionHead}>
        <Heading>{version.version}</Heading>
        <VersionChip version={version} />
        {isLatest ? <Chip tone="accent">{words.latest}</Chip> : null}
        {version.deprecated ? <Chip tone="warn">{nodes.deprecated}</Chip> : null}
        <span className={kit.soft}>
          <Ago at={version.createdAt} />
        </span>
        {canEdit ? <Deprecate node={node} version={version} /> : <span />}
      </div>
      {version.changelog ? <p className={styles.changelog}>{version.changelog}</p> : null}
      {version.status_reason ? <p className={kit.soft}>{version.status_reason}</p> : null}
      <div className={kit.actions}>
        {version.archive_size === undefined ? null : (
          <span className={kit.soft}>{formatBytes(version.archive_size)}</span>
        )}
        {version.archive_hash ? <CopyId id={version.archive_hash} /> : null}
        {version.dependencies.length > 0 ? (
          <span className={kit.soft} title={version.dependencies.join("\n")}>
            {words.needs(version.dependencies.length)}
          </span>
        ) : null}
        {canEdit ? (
          <Button small look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? words.hideChecks : words.showChecks}
          </Button>
        ) : null}
      </div>
      <Capabilities version={version} />
      {version.extract_reasons ? <Unread reasons={version.extract_reasons} /> : null}
      {canEdit && isOpen ? <VersionReview node={node} version={version} /> : null}
    </li>
  );
}

// Why its classes are not all described.
function Unread({ reasons }: { readonly reasons: readonly string[] }): ReactNode {
  return (
    <details className={styles.history}>
      <summary>{words.unread(reasons.length)}</summary>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </details>
  );
}

function Deprecate({ node, version }: { readonly node: Node; readonly version: NodeVersion }): ReactNode {
  const queries = useQueryClient();
  const change = useChange({
    change: (deprecated: boolean) =>
      call(operations.updateNodeVersion, {
        params: { publisherId: node.publisher?.id ?? "", nodeId: node.id, versionId: version.id },
        json: { deprecated },
      }),
    said: (_, deprecated) => (deprecated ? words.isDeprecated(version.version) : words.isRestored(version.version)),
    after: () => queries.invalidateQueries({ queryKey: ["registry", "nodes", node.id] }),
    failed: words.changeFailed,
  });
  return (
    <Button
      does={operations.updateNodeVersion}
      small
      disabled={change.isPending}
      onClick={() => change.mutate(!version.deprecated)}
    >
      {version.deprecated ? words.restore : words.deprecate}
    </Button>
  );
}
