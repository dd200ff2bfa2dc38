// A publisher's side of the registry: the publisher (created here if there is none), its nodes, its tokens, and how to publish.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Lock, Package, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { configQuery } from "../../api/config.ts";
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
            label="Publisher"
            value={publisher.id}
            choices={data.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
            onChange={(event) => show(event.target.value)}
          />
        ) : null}
        <Button onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" /> New publisher
        </Button>
      </div>
      <OnePublisher publisher={publisher} />
      <Dialog title="New publisher" isOpen={isMaking} onClose={() => setMaking(false)}>
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
      <Panel title="Begin with a publisher">
        <PublisherForm onMade={onMade} />
      </Panel>
      <Panel title="What happens then">
        <Stack>
          <p>
            A publisher is the name under which nodes are published. It belongs to this workspace; others can be asked
            to join it.
          </p>
          <p className={kit.soft}>
            Then you write a node on your machine, check it there, and publish it with one command. The registry opens
            every archive, checks it, and says why when it does not let one through.
          </p>
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
          {publisher.visibility === "workspace" ? <Chip icon={Lock}>Only this workspace</Chip> : null}
          {publisher.status === "PublisherStatusBanned" ? <Chip tone="bad">Banned</Chip> : null}
          <Button small onClick={() => setMaking(true)}>
            <Plus aria-hidden="true" /> New node
          </Button>
        </>
      }
    >
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="3rem" count={2} /> : null}
      {data?.length === 0 ? (
        <Empty icon={Package} title="No nodes yet">
          Publishing makes a node by itself. Make one here to take its id beforehand.
        </Empty>
      ) : null}
      {data && data.length > 0 ? (
        <Table
          label={`Nodes of ${publisher.name}`}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "name",
              head: "Node",
              cell: ({ id, name }) => (
                <Link to="/console/nodes/$nodeId" params={{ nodeId: id }}>
                  {name}
                </Link>
              ),
            },
            { name: "id", head: "Id", cell: ({ id }) => <code>{id}</code> },
            {
              name: "latest",
              head: "Latest",
              cell: ({ latest_version: latest }) =>
                latest ? (
                  <span className={kit.actions}>
                    <code>{latest.version}</code> <VersionChip version={latest} />
                  </span>
                ) : (
                  <span className={kit.soft}>none active</span>
                ),
            },
            { name: "installs", head: "Installs", align: "end", cell: ({ downloads }) => downloads.toLocaleString() },
          ]}
        />
      ) : null}
      <Dialog title="New node" isOpen={isMaking} onClose={() => setMaking(false)}>
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
  const steps = [
    ["Once, for a server that is not on this machine", `atelier login ${config?.base_url ?? location.origin}`],
    ["A folder with a node that works", `atelier nodes init my-node --publisher ${publisherId}`],
    ["The manifest, the files and the registry's own checks", "atelier nodes validate my-node"],
    ["What would be sent, sending nothing", "atelier nodes publish my-node --dry-run"],
    ["Pack, upload, wait for the verdict", "atelier nodes publish my-node"],
    ["Was it flagged?", "atelier nodes review my-node@0.1.0"],
  ] as const;
  return (
    <Panel title="Publish from your machine">
      <CommandHint base={baseOf(config?.base_url ?? location.origin)} />
      <ol className={styles.steps}>
        {steps.map(([words, line]) => (
          <li key={line}>
            <span className={kit.soft}>{words}</span>
            <CodeBlock code={line} label={words} wrap />
          </li>
        ))}
      </ol>
    </Panel>
  );
}
