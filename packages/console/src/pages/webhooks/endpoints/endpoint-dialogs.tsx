// Adding an endpoint, changing one, and replacing its secret. A secret is shown when it is made and never again.
import type { CreatedWebhookEndpoint, WebhookEndpoint, WebhookSecret } from "@atelier/sdk";
import { type ReactNode, useState } from "react";
import { webhooks } from "#strings/webhooks";
import { endpoints } from "#strings/webhooks/endpoints";
import { call } from "../../../api/client.ts";
import { operations } from "../../../api/operations.ts";
import { useChange } from "../../../ui/calls/use-change.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../../ui/shown-once.tsx";
import { Rich } from "../../../ui/text/rich.tsx";
import { overlaps } from "../overlaps.ts";
import { bodyOf, draftOf, wrongIn } from "./endpoint-draft.ts";
import { EndpointFields } from "./endpoint-fields.tsx";
import { endpointsQuery } from "./endpoint-queries.ts";

const { form: words, secret: secretWords } = endpoints;

interface Opened {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function NewEndpoint({ isOpen, onClose }: Opened): ReactNode {
  return (
    <SecretDialog<CreatedWebhookEndpoint>
      title={words.addTitle}
      size="wide"
      readyTitle={() => secretWords.ready}
      isOpen={isOpen}
      onClose={onClose}
      form={(steps) => <NewForm {...steps} />}
      secret={({ secret }) => <Ready secret={secret} />}
      done={secretWords.done}
    />
  );
}

function NewForm(steps: SecretSteps<CreatedWebhookEndpoint>): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(null));
  const [isAsked, setAsked] = useState(false);
  return (
    <SecretForm
      {...steps}
      action={words.add}
      create={() => call(operations.createWebhookEndpoint, { json: bodyOf(draft) })}
      changes={endpointsQuery.queryKey}
      canSubmit={() => {
        setAsked(true);
        return isRight(draft);
      }}
    >
      <EndpointFields draft={draft} isAsked={isAsked} onChange={(more) => setDraft({ ...draft, ...more })} />
    </SecretForm>
  );
}

const isRight = (draft: Parameters<typeof wrongIn>[0]) => Object.values(wrongIn(draft)).every((each) => each === null);

export function EditEndpoint({ of, isOpen, onClose }: Opened & { readonly of: WebhookEndpoint }): ReactNode {
  return (
    <Dialog title={words.editTitle} size="wide" isOpen={isOpen} onClose={onClose}>
      {isOpen ? <EditForm of={of} onClose={onClose} /> : null}
    </Dialog>
  );
}

function EditForm({ of, onClose }: { readonly of: WebhookEndpoint; readonly onClose: () => void }): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(of));
  const [isAsked, setAsked] = useState(false);
  const save = useChange({
    change: () => call(operations.updateWebhookEndpoint, { params: { endpointId: of.id }, json: bodyOf(draft) }),
    stale: [endpointsQuery.queryKey],
    said: () => words.saved,
    after: onClose,
  });
  const submit = () => {
    setAsked(true);
    if (isRight(draft)) save.mutate();
  };
  return (
    <DialogForm action={words.save} onSubmit={submit} onCancel={onClose} isBusy={save.isPending} fault={save.error}>
      <EndpointFields draft={draft} isAsked={isAsked} onChange={(more) => setDraft({ ...draft, ...more })} />
    </DialogForm>
  );
}

export function RotateEndpoint({ of, isOpen, onClose }: Opened & { readonly of: WebhookEndpoint }): ReactNode {
  return (
    <SecretDialog<WebhookSecret>
      title={secretWords.rotateTitle}
      readyTitle={() => secretWords.ready}
      isOpen={isOpen}
      onClose={onClose}
      form={(steps) => <RotateForm of={of} {...steps} />}
      secret={({ secret }) => <Ready secret={secret} />}
      done={secretWords.done}
    />
  );
}

function RotateForm({ of, ...steps }: SecretSteps<WebhookSecret> & { readonly of: WebhookEndpoint }): ReactNode {
  const [overlap, setOverlap] = useState("86400");
  return (
    <SecretForm
      {...steps}
      action={secretWords.rotateAction}
      create={() =>
        call(operations.rotateWebhookEndpointSecret, {
          params: { endpointId: of.id },
          json: { overlap_seconds: Number(overlap) },
        })
      }
    >
      <p>{secretWords.rotateText}</p>
      <SelectField
        label={webhooks.secrets.overlap}
        choices={overlaps}
        value={overlap}
        onChange={({ target }) => setOverlap(target.value)}
      />
    </SecretForm>
  );
}

function Ready({ secret }: { readonly secret: string }): ReactNode {
  return (
    <>
      <p>
        <Rich text={secretWords.readyText} copy={<strong>{secretWords.copyNow}</strong>} />
      </p>
      <ShownOnce label={secretWords.label} text={secret} copyLabel={secretWords.copy} look="primary" />
      <ShownOnce label={secretWords.env} text={`ATELIER_WEBHOOK_SECRET=${secret}`} copyLabel={secretWords.copyLine} />
    </>
  );
}
