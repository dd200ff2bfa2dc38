// Creates a workspace for a person on this server.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { workspaces } from "#strings/workspaces";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useField } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";

const words = workspaces.create;
const route = getRouteApi("/console/workspaces");

export function NewWorkspace(props: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={words.title} isOpen={props.isOpen} onClose={props.onClose}>
      <WorkspaceForm onClose={props.onClose} />
    </Dialog>
  );
}

function WorkspaceForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = route.useNavigate();
  const { data: account } = useQuery(accountQuery);
  const people = useQuery(readQuery(["admin", "people"], operations.listPeople, { query: { limit: 100 } }));
  const [name, nameField] = useField("");
  const [chosen, setChosen] = useState<string | null>(null);
  const owner = chosen ?? account?.person?.id ?? "";
  return (
    <ChangeForm
      action={words.action}
      fault={people.error}
      why={name.trim() === "" ? words.nameFirst : null}
      change={() => call(operations.createWorkspaceAsAdmin, { json: { name: name.trim(), owner_id: owner } })}
      stale={[
        ["admin", "workspaces"],
        ["account", "workspaces"],
      ]}
      said={(made) => words.created(made.name)}
      after={(made) => void navigate({ search: { workspace: made.id } })}
      onClose={onClose}
    >
      <TextField label={words.name} required maxLength={100} autoComplete="off" {...nameField} />
      <SelectField
        label={words.owner}
        hint={words.ownerHint}
        choices={(people.data?.data ?? []).map(({ id, name: person, email }) => ({
          value: id,
          label: email ? `${person} (${email})` : person,
        }))}
        value={owner}
        onChange={(event) => setChosen(event.target.value)}
      />
    </ChangeForm>
  );
}
