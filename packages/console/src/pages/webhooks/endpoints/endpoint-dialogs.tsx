// Adding an endpoint, changing one, and replacing its secret. A secret is shown when it is made and never again.
import type { CreatedWebhookEndpoint, WebhookEndpoint, WebhookSecret } from "@atelier/sdk";
import type { ReactNode } from "react";
import { webhooks } from "#strings/webhooks";
import { endpoints } from "#strings/webhooks/endpoints";
import { call } from "../../../api/client.ts";
import { operations } from "../../../api/operations.ts";
import { ChangeForm } from "../../../ui/calls/change-form.tsx";
import { useDraft, useField } from "../../../ui/calls/use-draft.ts";
import { Dialog } from "../../../ui/dialog.tsx";
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
  const form = useDraft(() => draftOf(null), wrongIn);
  return (
    <SecretForm
      {...steps}
      action={words.add}
      create={() => call(operations.createWebhookEndpoint, { json: bodyOf(form.draft) })}
      changes={endpointsQuery.queryKey}
      canSubmit={form.canSubmit}
    >
      <EndpointFields of={form} />
    </SecretForm>
  );
}

export function EditEndpoint({ of, isOpen, onClose }: Opened & { readonly of: WebhookEndpoint }): ReactNode {
  return (
    <Dialog title={words.editTitle} size="wide" isOpen={isOpen} onClose={onClose}>
      {isOpen ? <EditForm of={of} onClose={onClose} /> : null}
    </Dialog>
  );
}

function EditForm({ of, onClose }: { readonly of: WebhookEndpoint; readonly onClose: () => void }): ReactNode {
  const form = useDraft(() => draftOf(of), wrongIn);
  const [params, json] = [{ endpointId: of.id }, bodyOf(form.draft)];
  return (
    <ChangeForm
      action={words.save}
      canSubmit={form.canSubmit}
      change={() => call(operations.updateWebhookEndpoint, { params, json })}
      stale={[endpointsQuery.queryKey]}
      said={() => words.saved}
      onClose={onClose}
    >
      <EndpointFields of={form} />
    </ChangeForm>
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
  const [overlap, overlapField] = useField("86400");
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
      <SelectField label={webhooks.secrets.overlap} choices={overlaps} {...overlapField} />
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
