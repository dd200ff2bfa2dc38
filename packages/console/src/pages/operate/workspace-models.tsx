// What a workspace may run at all.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Workspace, type WorkspaceModels, workspacePartQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, TextArea } from "../../ui/fields.tsx";
import { Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

export function Models({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const { data, error, refetch } = useQuery(workspacePartQuery<WorkspaceModels>(workspace.id, "models"));
  if (data === undefined) return error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="14rem" />;
  return <ModelsForm key={JSON.stringify(data)} workspace={workspace} of={data} />;
}

function ModelsForm({ workspace, of }: { readonly workspace: Workspace; readonly of: WorkspaceModels }): ReactNode {
  const queries = useQueryClient();
  const [isEnabled, setEnabled] = useState(of.router_enabled);
  const [isDefault, setDefault] = useState(of.entitlements === null);
  const [text, setText] = useState((of.entitlements ?? ["*"]).join("\n"));
  const saving = useMutation({
    mutationFn: () =>
      call(`/admin/workspaces/${workspace.id}/models`, {
        method: "PUT",
        json: {
          router_enabled: isEnabled,
          entitlements: isDefault ? null : text.split(/[\s,]+/).filter((word) => word !== ""),
        },
      }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ["admin", "workspace", workspace.id, "models"] });
      toast(`${workspace.name} may run what you said, within five seconds everywhere.`);
    },
  });
  return (
    <Panel
      title="What it may run"
      actions={
        <Button small look="primary" disabled={saving.isPending} onClick={() => saving.mutate()}>
          Save
        </Button>
      }
    >
      <Stack>
        <CheckField
          label="It may use the model router"
          hint="Without it, calls of models are refused as not enabled."
          checked={isEnabled}
          onChange={(event) => setEnabled(event.target.checked)}
        />
        <CheckField
          label="Every model, as this server's default says"
          checked={isDefault}
          onChange={(event) => setDefault(event.target.checked)}
        />
        {isDefault ? null : (
          <TextArea
            label="Models it may run"
            hint="One on each line: *, provider/* or provider/model. None: it may run nothing."
            rows={6}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {saving.error ? <FaultNote fault={saving.error} /> : null}
      </Stack>
    </Panel>
  );
}
