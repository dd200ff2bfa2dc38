// The node classes of a version, as extracted or as its publisher describes them.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Puzzle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { CheckField, Select, TextArea, TextField } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { descriptorsQuery, type Node, versionsQuery } from "./registry-queries.ts";

export function NodeClasses({ node, canEdit }: { readonly node: Node; readonly canEdit: boolean }): ReactNode {
  const { version: asked } = useSearch({ from: "/console/nodes/$nodeId" });
  const navigate = useNavigate();
  const { data: versions, error, refetch } = useQuery(versionsQuery(node.id));
  const version = asked ?? node.latest_version?.version ?? versions?.[0]?.version;
  if (error && versions === undefined) return <FaultNote fault={error} retry={refetch} />;
  if (version === undefined)
    return (
      <Panel>
        <Empty icon={Puzzle} title="No version, no classes" />
      </Panel>
    );
  return (
    <Panel
      flush
      title="Classes"
      actions={
        <Select
          label="Version"
          value={version}
          choices={[...new Set([version, ...(versions ?? []).map((each) => each.version)])].map((value) => ({
            value,
            label: value,
          }))}
          onChange={(event) =>
            navigate({
              to: "/console/nodes/$nodeId",
              params: { nodeId: node.id },
              search: { tab: "classes", version: event.target.value },
            })
          }
        />
      }
    >
      <Descriptors nodeId={node.id} version={version} canEdit={canEdit} />
    </Panel>
  );
}

function Descriptors(props: {
  readonly nodeId: string;
  readonly version: string;
  readonly canEdit: boolean;
}): ReactNode {
  const { nodeId, version, canEdit } = props;
  const { data, error, isPending, refetch } = useQuery(descriptorsQuery(nodeId, version));
  const [editing, setEditing] = useState<Draft | null>(null);
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (isPending) return <Skeleton height="3rem" count={2} />;
  const describe = canEdit ? <Button onClick={() => setEditing(emptyDraft)}>Describe a class</Button> : null;
  return (
    <>
      {data.svc_nodes.length === 0 ? (
        <Empty icon={Puzzle} title="No class is described" actions={describe}>
          Descriptions are extracted after publishing where the operator set that up, or written by the publisher.
        </Empty>
      ) : (
        <>
          <Table
            label={`Classes of ${nodeId} ${version}`}
            rows={data.svc_nodes}
            keyOf={(each) => each.svc_node_name}
            columns={[
              { name: "name", head: "Class", cell: (each) => <code>{each.svc_node_name}</code> },
              { name: "category", head: "Category", cell: (each) => each.category ?? "–" },
              { name: "description", head: "What it does", cell: (each) => each.description ?? "–" },
              {
                name: "marks",
                head: "Marks",
                cell: (each) => (
                  <span className={kit.actions}>
                    {each.deprecated ? <Chip tone="warn">Deprecated</Chip> : null}
                    {each.experimental ? <Chip tone="info">Experimental</Chip> : null}
                    {each.policy === "NodePolicyBanned" ? <Chip tone="bad">Banned in workflows</Chip> : null}
                    {each.policy === "NodePolicyLocalOnly" ? <Chip tone="warn">Self-hosted only</Chip> : null}
                  </span>
                ),
              },
              {
                name: "act",
                head: <span className="visually-hidden">Actions</span>,
                align: "end",
                cell: (each) =>
                  canEdit ? (
                    <Button small aria-label={`Edit ${each.svc_node_name}`} onClick={() => setEditing(draftOf(each))}>
                      Edit
                    </Button>
                  ) : null,
              },
            ]}
          />
          {describe ? <div style={{ padding: "0.75rem" }}>{describe}</div> : null}
        </>
      )}
      <Dialog title="Describe a class" isOpen={editing !== null} onClose={() => setEditing(null)}>
        {editing === null ? null : (
          <DescriptorForm nodeId={nodeId} version={version} first={editing} onDone={() => setEditing(null)} />
        )}
      </Dialog>
    </>
  );
}

interface Draft {
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly experimental: boolean;
}

const emptyDraft: Draft = { name: "", category: "", description: "", deprecated: false, experimental: false };

const draftOf = (each: {
  readonly svc_node_name: string;
  readonly category?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly experimental?: boolean;
}): Draft => ({
  name: each.svc_node_name,
  category: each.category ?? "",
  description: each.description ?? "",
  deprecated: each.deprecated ?? false,
  experimental: each.experimental ?? false,
});

function DescriptorForm(props: {
  readonly nodeId: string;
  readonly version: string;
  readonly first: Draft;
  readonly onDone: () => void;
}): ReactNode {
  const [draft, setDraft] = useState(props.first);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const { name, ...json } = draft;
      const path = ["nodes", props.nodeId, "versions", props.version, "svc-nodes", name].map(encodeURIComponent);
      return call(`/${path.join("/")}`, { method: "PUT", json });
    },
    onSuccess: async () => {
      await queries.invalidateQueries(descriptorsQuery(props.nodeId, props.version));
      props.onDone();
    },
  });
  return (
    <DialogForm
      action="Save"
      isBusy={save.isPending}
      fault={save.error}
      why={draft.name === "" ? "Name the class first." : null}
      onSubmit={() => save.mutate()}
      onCancel={props.onDone}
    >
      <TextField
        label="Class"
        required
        maxLength={255}
        readOnly={props.first.name !== ""}
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
      />
      <TextField
        label="Category"
        value={draft.category}
        onChange={(event) => setDraft({ ...draft, category: event.target.value })}
      />
      <TextArea
        label="What it does"
        value={draft.description}
        onChange={(event) => setDraft({ ...draft, description: event.target.value })}
      />
      <CheckField
        label="Deprecated: hidden in menus"
        checked={draft.deprecated}
        onChange={(event) => setDraft({ ...draft, deprecated: event.target.checked })}
      />
      <CheckField
        label="Experimental: may change or vanish"
        checked={draft.experimental}
        onChange={(event) => setDraft({ ...draft, experimental: event.target.checked })}
      />
    </DialogForm>
  );
}
