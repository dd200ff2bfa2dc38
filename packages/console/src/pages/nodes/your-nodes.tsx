// A publisher's side of the registry: the publisher (created here if there is none), its nodes, its tokens, and how to publish.

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Lock, Package, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { nodes as words } from "#strings/nodes";
import { configQuery } from "../../api/config.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { CommandHint } from "../../ui/snippets/snippet-tabs.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { NodeForm } from "./node-form.tsx";
import styles from "./nodes.module.css";
import { PublisherForm } from "./publisher-form.tsx";
import { PublisherTokens } from "./publisher-tokens.tsx";
import { myPublishersQuery, type Publisher, publisherNodesQuery } from "./registry-queries.ts";
import { publishSteps } from "./snippets.ts";
import { VersionChip } from "./version-state.tsx";

export function YourNodes(): ReactNode {
  const { publisher: chosen } = useSearch({ from: "/console/nodes" });
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(myPublishersQuery);
  const [isMaking, setMaking] = useState(false);
  const show = (publisher: string) => navigate({ to: "/console/nodes", search: { tab: "yours", publisher } });
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (isPending) return <Skeleton height="16rem" />;
  const publisher = data.find(({ id }) => id === chosen) ?? data[0];
  if (publisher === undefined) return <FirstPublisher onMade={show} />;
  return (
    <>
      <div className={kit.actions}>
        {data.length > 1 ? (
          <Select
            label={words.publisher.label}
            value={publisher.id}
            choices={data.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
            onChange={(event) => show(event.target.value)}
          />
        ) : null}
        <Button does={operations.createPublisher} onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" /> {words.publisher.create}
        </Button>
      </div>
      <OnePublisher publisher={publisher} />
      <Dialog title={words.publisher.create} isOpen={isMaking} onClose={() => setMaking(false)}>
        <PublisherForm
          onMade={(id) => {
            setMaking(false);
            show(id);
          }}
        />
      </Dialog>
    </>
  );
}

function FirstPublisher({ onMade }: { readonly onMade: (id: string) => void }): ReactNode {
  return (
    <div className={styles.columns}>
      <Panel title={words.publisher.first}>
        <PublisherForm onMade={onMade} />
      </Panel>
      <Panel title={words.publisher.firstNext}>
        <Stack>
          <p>{words.publisher.firstText}</p>
          <p className={kit.soft}>{words.publisher.firstSteps}</p>
        </Stack>
      </Panel>
    </div>
  );
}

function OnePublisher({ publisher }: { readonly publisher: Publisher }): ReactNode {
  return (
    <div className={styles.columns}>
      <Stack>
        <OwnNodes publisher={publisher} />
        <PublisherTokens publisherId={publisher.id} />
      </Stack>
      <HowToPublish publisherId={publisher.id} />
    </div>
  );
}

function OwnNodes({ publisher }: { readonly publisher: Publisher }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(publisherNodesQuery(publisher.id));
  const [isMaking, setMaking] = useState(false);
  const navigate = useNavigate();
  return (
    <Panel
      flush
      title={publisher.name}
      actions={
        <>
          <CopyId id={publisher.id} short={false} />
          {publisher.visibility === "workspace" ? <Chip icon={Lock}>{words.publisher.privateChip}</Chip> : null}
          {publisher.status === "PublisherStatusBanned" ? <Chip tone="bad">{words.banned}</Chip> : null}
          <Button does={operations.createNode} small onClick={() => setMaking(true)}>
            <Plus aria-hidden="true" /> {words.own.create}
          </Button>
        </>
      }
    >
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="3rem" count={2} /> : null}
      {data?.length === 0 ? (
        <Empty icon={Package} title={words.own.none}>
          {words.own.noneText}
        </Empty>
      ) : null}
      {data && data.length > 0 ? (
        <Table
          label={words.own.table(publisher.name)}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "name",
              head: words.own.columns.node,
              cell: ({ id, name }) => (
                <Link to="/console/nodes/$nodeId" params={{ nodeId: id }}>
                  {name}
                </Link>
              ),
            },
            { name: "id", head: words.own.columns.id, cell: ({ id }) => <code>{id}</code> },
            {
              name: "latest",
              head: words.own.columns.latest,
              cell: ({ latest_version: latest }) =>
                latest ? (
                  <span className={kit.actions}>
                    <code>{latest.version}</code> <VersionChip version={latest} />
                  </span>
                ) : (
                  <span className={kit.soft}>{words.own.noneActive}</span>
                ),
            },
            {
              name: "installs",
              head: words.own.columns.installs,
              align: "end",
              cell: ({ downloads }) => downloads.toLocaleString(),
            },
          ]}
        />
      ) : null}
      <Dialog title={words.own.create} isOpen={isMaking} onClose={() => setMaking(false)}>
        <NodeForm
          publisherId={publisher.id}
          node={null}
          onDone={(node) => navigate({ to: "/console/nodes/$nodeId", params: { nodeId: node.id } })}
          onCancel={() => setMaking(false)}
        />
      </Dialog>
    </Panel>
  );
}

function HowToPublish({ publisherId }: { readonly publisherId: string }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const commands = publishSteps(config?.base_url ?? location.origin, publisherId);
  const steps = (["login", "init", "validate", "dryRun", "publish", "review"] as const).map(
    (step) => [words.howTo.steps[step], commands[step]] as const,
  );
  return (
    <Panel title={words.howTo.title}>
      <CommandHint base={baseOf(config?.base_url ?? location.origin)} />
      <ol className={styles.steps}>
        {steps.map(([step, line]) => (
          <li key={line}>
            <span className={kit.soft}>{step}</span>
            <CodeBlock code={line} label={step} wrap />
          </li>
        ))}
      </ol>
    </Panel>
  );
}
