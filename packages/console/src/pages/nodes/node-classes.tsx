// The node classes of a version, as extracted or as its publisher describes them.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Blocks } from "lucide-react";
import { type ReactNode, useState } from "react";
import { nodes } from "#strings/nodes";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { CheckField, Select, TextArea, TextField } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { descriptorsQuery, type Node, versionsQuery } from "./registry-queries.ts";

const words = nodes.classes;

export function NodeClasses({ node, canEdit }: { readonly node: Node; readonly canEdit: boolean }): ReactNode {
  const { version: asked } = useSearch({ from: "/console/nodes/$nodeId" });
  const navigate = useNavigate();
  const { data: versions, error, refetch } = useQuery(versionsQuery(node.id));
  const version = asked ?? node.latest_version?.version ?? versions?.[0]?.version;
  if (error && versions === undefined) return <FaultNote fault={error} retry={refetch} />;
  if (version === undefined)
    return (
      <Panel>
        <Empty icon={Blocks} title={words.noVersion}>
          {words.noVersionText}
        </Empty>
      </Panel>
    );
  return (
    <Panel
      flush
      title={words.title}
      actions={
        <Select
          label={words.version}
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
  const describe = canEdit ? (
    <Button does={operations.updateDescriptor} onClick={() => setEditing(emptyDraft)}>
      {words.describe}
    </Button>
  ) : null;
  return (
    <>
      {data.svc_nodes.length === 0 ? (
        <Empty icon={Blocks} title={words.none} actions={describe}>
          {words.noneText}
        </Empty>
      ) : (
        <>
          <Table
            label={words.table(nodeId, version)}
            rows={data.svc_nodes}
            keyOf={(each) => each.svc_node_name}
            columns={[
              { name: "name", head: words.columns.name, cell: (each) => <code>{each.svc_node_name}</code> },
              { name: "category", head: words.columns.category, cell: (each) => each.category ?? "–" },
              { name: "description", head: words.columns.description, cell: (each) => each.description ?? "–" },
              {
                name: "marks",
                head: words.columns.marks,
                cell: (each) => (
                  <span className={kit.actions}>
                    {each.deprecated ? <Chip tone="warn">{nodes.deprecated}</Chip> : null}
                    {each.experimental ? <Chip tone="info">{words.experimental}</Chip> : null}
                    {each.policy === "NodePolicyBanned" ? <Chip tone="bad">{words.bannedInWorkflows}</Chip> : null}
                    {each.policy === "NodePolicyLocalOnly" ? <Chip tone="warn">{words.selfHostedOnly}</Chip> : null}
                  </span>
                ),
              },
              {
                name: "act",
                head: <span className="visually-hidden">{words.columns.actions}</span>,
                align: "end",
                cell: (each) =>
                  canEdit ? (
                    <Button
                      does={operations.updateDescriptor}
                      small
                      aria-label={words.editOf(each.svc_node_name)}
                      onClick={() => setEditing(draftOf(each))}
                    >
                      {words.edit}
                    </Button>
                  ) : null,
              },
            ]}
          />
          {describe ? <div style={{ padding: "0.75rem" }}>{describe}</div> : null}
        </>
      )}
      <Dialog title={words.describe} isOpen={editing !== null} onClose={() => setEditing(null)}>
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
  const { draft, change, field } = useDraft(props.first);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const { name, ...json } = draft;
      const params = { nodeId: props.nodeId, version: props.version, svcNodeName: name };
      return call(operations.updateDescriptor, { params, json });
    },
    onSuccess: async () => {
      await queries.invalidateQueries(descriptorsQuery(props.nodeId, props.version));
      props.onDone();
    },
  });
  return (
    <DialogForm
      action={words.save}
      isBusy={save.isPending}
      fault={save.error}
      why={draft.name === "" ? words.nameFirst : null}
      onSubmit={() => save.mutate()}
      onCancel={props.onDone}
    >
      <TextField
        label={words.columns.name}
        required
        maxLength={255}
        readOnly={props.first.name !== ""}
        {...field("name")}
      />
      <TextField label={words.columns.category} {...field("category")} />
      <TextArea label={words.columns.description} {...field("description")} />
      <CheckField
        label={words.deprecatedField}
        checked={draft.deprecated}
        onChange={(event) => change({ deprecated: event.target.checked })}
      />
      <CheckField
        label={words.experimentalField}
        checked={draft.experimental}
        onChange={(event) => change({ experimental: event.target.checked })}
      />
    </DialogForm>
  );
}
