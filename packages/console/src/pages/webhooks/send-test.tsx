import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { webhooks } from "#strings/webhooks";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { useChange } from "../../ui/calls/use-change.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Rich } from "../../ui/text/rich.tsx";

const words = webhooks.test;

export function SendTest({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose}>
      <TestForm onClose={onClose} />
    </Dialog>
  );
}

function TestForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [url, urlField] = useField("");
  const navigate = useNavigate({ from: "/console/webhooks" });
  const test = useChange({
    change: () => call(operations.sendTestWebhook, { json: { url: url.trim() } }),
    stale: [["webhooks"]],
    after: ({ id }) => {
      onClose();
      navigate({ search: { delivery: id } });
    },
  });
  // The server names the field; any other error appears below.
  const isOfUrl = test.error !== null && asFault(test.error).status === 400;
  return (
    <DialogForm
      action={words.action}
      isBusy={test.isPending}
      fault={isOfUrl ? null : test.error}
      why={url.trim() === "" ? words.why : null}
      onCancel={onClose}
      onSubmit={() => test.mutate()}
    >
      <p>
        <Rich text={words.text} body={<code>{'{"type":"webhook.test",…}'}</code>} />
      </p>
      <TextField
        label={words.address}
        type="url"
        required
        placeholder="https://hooks.example.com/atelier"
        hint={words.hint}
        autoComplete="off"
        {...urlField}
        wrong={isOfUrl ? asFault(test.error).message : null}
      />
    </DialogForm>
  );
}
