// This server's credential at a provider: enter, replace, remove, and test. What is typed stays in the dialog.

import { useMutation } from "@tanstack/react-query";
import { Check, CircleHelp, PlugZap, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { providers } from "#strings/providers";
import { providersQuery, type ServerCredential } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Ago, formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./operate.module.css";

const words = providers.credential;

export function CredentialPanel(props: {
  readonly provider: string;
  readonly credential: ServerCredential | undefined;
}): ReactNode {
  const { provider, credential } = props;
  const [asked, setAsked] = useState<"enter" | "remove" | null>(null);
  const isOwn = credential !== undefined && credential.source !== "made";
  return (
    <Panel
      title={words.title}
      actions={
        isOwn ? (
          <>
            <Button small look="primary" does={operations.putServerCredential} onClick={() => setAsked("enter")}>
              {credential.source === "stored" ? words.replace : words.enter}
            </Button>
            {credential.source === "stored" ? (
              <Button small look="danger" does={operations.deleteServerCredential} onClick={() => setAsked("remove")}>
                {words.remove}
              </Button>
            ) : null}
          </>
        ) : null
      }
    >
      <Stack>
        {credential ? (
          <Facts
            of={[
              [words.setting, <code key="setting">{credential.setting}</code>],
              [words.status, words.states[credential.source]],
              ...(credential.updated_at
                ? [[words.entered, <Ago key="entered" at={credential.updated_at} />] as const]
                : []),
            ]}
          />
        ) : (
          <p>{words.notNeeded}</p>
        )}
        <TestConnection provider={provider} />
      </Stack>
      <Dialog title={words.dialog(provider)} isOpen={asked === "enter"} onClose={() => setAsked(null)}>
        <EnterForm provider={provider} onClose={() => setAsked(null)} />
      </Dialog>
      <RemoveCredential provider={provider} isOpen={asked === "remove"} onClose={() => setAsked(null)} />
    </Panel>
  );
}

function EnterForm({ provider, onClose }: { readonly provider: string; readonly onClose: () => void }): ReactNode {
  const [value, valueField] = useField("");
  const isFit = /^[!-~]{8,4096}$/.test(value.trim());
  return (
    <ChangeForm
      action={words.save}
      why={isFit ? null : words.pasteFirst}
      change={() => call(operations.putServerCredential, { params: { provider }, json: { value: value.trim() } })}
      stale={[providersQuery.queryKey]}
      said={() => words.saved(provider)}
      onClose={onClose}
    >
      <TextField
        label={words.title}
        type="password"
        required
        hint={words.hint}
        autoComplete="off"
        {...valueField}
        wrong={value !== "" && !isFit ? words.tooShort : null}
      />
    </ChangeForm>
  );
}

function RemoveCredential(props: {
  readonly provider: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { provider, onClose } = props;
  const removing = useChange({
    change: () => call(operations.deleteServerCredential, { params: { provider } }),
    stale: [providersQuery.queryKey],
    said: () => words.removed(provider),
    after: onClose,
    failed: words.removeFailed,
  });
  return (
    <Confirm
      title={words.removeTitle}
      action={words.remove}
      isOpen={props.isOpen}
      isBusy={removing.isPending}
      onClose={onClose}
      onConfirm={() => removing.mutate()}
    >
      <p>
        <Rich text={words.removeText} provider={<strong>{provider}</strong>} />
      </p>
    </Confirm>
  );
}

const looks = {
  ok: ["ok", Check, words.results.ok],
  refused: ["bad", X, words.results.refused],
  failing: ["bad", TriangleAlert, words.results.failing],
  not_checked: ["plain", CircleHelp, words.results.not_checked],
} as const;

function TestConnection({ provider }: { readonly provider: string }): ReactNode {
  const testing = useMutation({
    mutationFn: () => call(operations.checkProvider, { params: { provider } }),
  });
  const found = testing.data;
  return (
    <div className={styles.answer}>
      <Button small does={operations.checkProvider} disabled={testing.isPending} onClick={() => testing.mutate()}>
        <PlugZap aria-hidden="true" />
        {testing.isPending ? words.testing : words.test}
      </Button>
      <div role="status" className={styles.answer}>
        {found ? (
          <>
            <span data-check-status={found.status}>
              <Chip tone={looks[found.status][0]} icon={looks[found.status][1]}>
                {looks[found.status][2]}
              </Chip>
            </span>
            <span>{found.words}</span>
            {found.ms === null ? null : <span className={kit.soft}>{formatDuration(found.ms)}</span>}
          </>
        ) : null}
      </div>
      {testing.error ? <FaultNote fault={testing.error} /> : null}
    </div>
  );
}
