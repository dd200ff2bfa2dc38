import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";

export function SendTest({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Send a test event" isOpen={isOpen} onClose={onClose}>
      <TestForm onClose={onClose} />
    </Dialog>
  );
}

function TestForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [url, setUrl] = useState("");
  const queries = useQueryClient();
  const navigate = useNavigate({ from: "/console/webhooks" });
  const test = useMutation({
    mutationFn: () => call(operations.sendTestWebhook, { json: { url: url.trim() } }),
    onSuccess: ({ id }) => {
      queries.invalidateQueries({ queryKey: ["webhooks"] });
      onClose();
      navigate({ search: { delivery: id } });
    },
  });
  // The server names the field; any other error appears below.
  const isOfUrl = test.error !== null && asFault(test.error).status === 400;
  return (
    <DialogForm
      action="Send"
      isBusy={test.isPending}
      fault={isOfUrl ? null : test.error}
      why={url.trim() === "" ? "Say where to." : null}
      onCancel={onClose}
      onSubmit={() => test.mutate()}
    >
      <p>
        One attempt, signed like every delivery, with the body <code>{'{"type":"webhook.test",…}'}</code>. You see at
        once how it was answered.
      </p>
      <TextField
        label="Address"
        type="url"
        required
        autoComplete="off"
        placeholder="https://hooks.example.com/atelier"
        hint="An https address of a public host. For a receiver on the server's own machine, first run: atelier webhooks allow 127.0.0.1:8765"
        value={url}
        wrong={isOfUrl ? asFault(test.error).message : null}
        onChange={({ target }) => setUrl(target.value)}
      />
    </DialogForm>
  );
}
