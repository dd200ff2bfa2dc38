// What a workspace may run at all.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { workspaces } from "#strings/workspaces";
import { type Workspace, type WorkspaceModels, workspaceModelsQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { CheckField, TextArea } from "../../ui/fields.tsx";
import { Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Pending } from "../../ui/states.tsx";

const words = workspaces.models;

export function Models({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const { data, error, refetch } = useQuery(workspaceModelsQuery(workspace.id));
  if (data === undefined) return <Pending fault={error} retry={refetch} height="14rem" />;
  return <ModelsForm key={JSON.stringify(data)} workspace={workspace} of={data} />;
}

function ModelsForm({ workspace, of }: { readonly workspace: Workspace; readonly of: WorkspaceModels }): ReactNode {
  const [isEnabled, setEnabled] = useState(of.router_enabled);
  const [isDefault, setDefault] = useState(of.entitlements === null);
  const [text, setText] = useState((of.entitlements ?? ["*"]).join("\n"));
  const saving = useChange({
    change: () =>
      call(operations.setWorkspaceModels, {
        params: { workspaceId: workspace.id },
        json: {
          router_enabled: isEnabled,
          entitlements: isDefault ? null : text.split(/[\s,]+/).filter((word) => word !== ""),
        },
      }),
    stale: [["admin", "workspace", workspace.id, "models"]],
    said: () => words.saved(workspace.name),
  });
  return (
    <Panel
      title={words.title}
      actions={
        <Button
          small
          look="primary"
          does={operations.setWorkspaceModels}
          disabled={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {words.save}
        </Button>
      }
    >
      <Stack>
        <CheckField
          label={words.router}
          hint={words.routerHint}
          checked={isEnabled}
          onChange={(event) => setEnabled(event.target.checked)}
        />
        <CheckField label={words.standard} checked={isDefault} onChange={(event) => setDefault(event.target.checked)} />
        {isDefault ? null : (
          <TextArea
            label={words.list}
            hint={words.listHint}
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
