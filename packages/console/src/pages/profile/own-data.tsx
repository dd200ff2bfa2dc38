// One's own data: what the server keeps about a person and how long, all of it as a file, and its end.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Download, UserX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { profile } from "#strings/profile";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { endDrafts } from "../../api/drafts.ts";
import { operations } from "../../api/operations.ts";
import { forgetToken } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { CheckField, TextField } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";

const words = profile.data;

export function OwnData(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const [isErasing, setErasing] = useState(false);
  const save = useChange({
    change: () => call(operations.exportPerson),
    after: (data) =>
      saveFile(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }), words.export.file),
    failed: words.notExported,
  });
  if (account === undefined) return <Skeleton height="16rem" />;
  const name = account.person?.name;
  const why = name === undefined ? words.peopleOnly : null;
  return (
    <Stack>
      <Panel title={words.export.title}>
        <div className={kit.stack}>
          <p>{words.export.text}</p>
          <div className={kit.actions}>
            <Button does={operations.exportPerson} why={why} disabled={save.isPending} onClick={() => save.mutate()}>
              <Download aria-hidden="true" />
              {words.export.action}
            </Button>
          </div>
        </div>
      </Panel>
      <Panel title={words.kept.title} flush>
        <Table
          label={words.kept.title}
          rows={words.kept.rows}
          keyOf={({ what }) => what}
          columns={[
            { name: "what", head: words.kept.what, cell: ({ what }) => what },
            { name: "long", head: words.kept.long, cell: ({ long }) => long },
            { name: "end", head: words.kept.end, cell: ({ end }) => end },
          ]}
        />
      </Panel>
      <Panel title={words.erase.title}>
        <div className={kit.stack}>
          <p>{words.erase.text}</p>
          <p className={kit.soft}>{words.erase.stays}</p>
          <div className={kit.actions}>
            <Button does={operations.erasePerson} look="danger" why={why} onClick={() => setErasing(true)}>
              <UserX aria-hidden="true" />
              {words.erase.action}
            </Button>
          </div>
        </div>
      </Panel>
      <Dialog title={words.erase.ask} isOpen={isErasing} onClose={() => setErasing(false)}>
        {isErasing && name !== undefined ? <Erasure name={name} onClose={() => setErasing(false)} /> : null}
      </Dialog>
    </Stack>
  );
}

// The server asks for a fresh sign-in; its refusal brings the way there.
function Erasure({ name, onClose }: { readonly name: string; readonly onClose: () => void }): ReactNode {
  const [typed, typedField] = useField("");
  const [keepKeys, setKeepKeys] = useState(false);
  const erase = useMutation({
    mutationFn: () => call(operations.erasePerson, { query: keepKeys ? { keep_keys: true } : {} }),
    onSuccess: () => {
      forgetToken();
      endDrafts();
      sessionStorage.clear();
      location.assign("/sign-in");
    },
  });
  return (
    <DialogForm
      action={words.erase.action}
      look="danger"
      isBusy={erase.isPending}
      fault={erase.error}
      why={typed.trim() === name ? null : words.erase.why}
      onCancel={onClose}
      onSubmit={() => erase.mutate()}
    >
      <p>{words.erase.final}</p>
      <CheckField
        label={words.erase.keepKeys}
        hint={words.erase.keepKeysHint}
        checked={keepKeys}
        onChange={(event) => setKeepKeys(event.target.checked)}
      />
      <TextField label={words.erase.confirm(name)} spellCheck={false} autoComplete="off" {...typedField} />
    </DialogForm>
  );
}
