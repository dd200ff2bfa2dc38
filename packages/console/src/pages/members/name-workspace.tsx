// Renames a workspace, or creates one and switches to it.

import type { Workspace } from "@atelier/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { members as words } from "#strings/members";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { forgetToken } from "../../api/session.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { toast } from "../../ui/toast.tsx";

interface Naming {
  readonly what: "rename" | "create" | null;
  readonly of: Workspace;
  readonly onClose: () => void;
}

export function NameWorkspace({ what, of, onClose }: Naming): ReactNode {
  return (
    <Dialog
      title={what === "create" ? words.naming.create : words.naming.rename}
      isOpen={what !== null}
      onClose={onClose}
    >
      {what === null ? null : <NameForm what={what} of={of} onClose={onClose} />}
    </Dialog>
  );
}

function NameForm({ what, of, onClose }: Naming & { readonly what: "rename" | "create" }): ReactNode {
  const [name, nameField] = useField(what === "rename" ? of.name : "");
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => (what === "rename" ? rename(of.id, name.trim()) : create(name.trim())),
    onSuccess: async (workspace) => {
      await (what === "create" ? queries.resetQueries() : queries.invalidateQueries());
      toast(what === "rename" ? words.naming.renamed(workspace.name) : words.naming.created(workspace.name));
      onClose();
    },
  });
  return (
    <DialogForm
      action={what === "rename" ? words.rename : words.naming.createAction}
      isBusy={save.isPending}
      fault={save.error}
      why={name.trim() === "" ? words.naming.why : null}
      onCancel={onClose}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label={words.naming.name}
        required
        maxLength={100}
        hint={what === "rename" ? words.naming.renameHint : words.naming.createHint}
        autoComplete="off"
        {...nameField}
      />
    </DialogForm>
  );
}

const rename = (id: string, name: string) =>
  call(operations.updateWorkspace, { params: { workspaceId: id }, json: { name } });

async function create(name: string): Promise<Workspace> {
  const made = await call(operations.createWorkspace, { json: { name } });
  // With the cookie rather than the token, because the session itself changes.
  await call(operations.chooseSessionWorkspace, { json: { workspace_id: made.id }, as: "session" });
  forgetToken();
  return made;
}
