// This server's credential at a provider: enter, replace, remove, and test. What is typed stays in the dialog.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, CircleHelp, PlugZap, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type ProviderCheck, providersQuery, type ServerCredential } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Ago, spanOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./operate.module.css";

const states: Readonly<Record<ServerCredential["source"], string>> = {
  environment: "Set in the server's environment, which comes first. It is never shown.",
  stored: "Entered here, sealed. It is never shown.",
  made: "Made by the server for its own sandbox.",
  none: "Not set. Enter it here, or set the variable and start the server again.",
};

export function CredentialPanel(props: {
  readonly provider: string;
  readonly credential: ServerCredential | undefined;
}): ReactNode {
  const { provider, credential } = props;
  const [asked, setAsked] = useState<"enter" | "remove" | null>(null);
  const isOwn = credential !== undefined && credential.source !== "made";
  return (
    <Panel
      title="Credential"
      actions={
        isOwn ? (
          <>
            <Button small look="primary" onClick={() => setAsked("enter")}>
              {credential.source === "stored" ? "Replace" : "Enter credential"}
            </Button>
            {credential.source === "stored" ? (
              <Button small look="danger" onClick={() => setAsked("remove")}>
                Remove
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
              ["Setting", <code key="setting">{credential.setting}</code>],
              ["State", states[credential.source]],
              ...(credential.updated_at
                ? [["Entered", <Ago key="entered" at={credential.updated_at} />] as const]
                : []),
            ]}
          />
        ) : (
          <p>It needs no credential.</p>
        )}
        <TestConnection provider={provider} />
      </Stack>
      <Dialog title={`Credential for ${provider}`} isOpen={asked === "enter"} onClose={() => setAsked(null)}>
        <EnterForm provider={provider} onClose={() => setAsked(null)} />
      </Dialog>
      <RemoveCredential provider={provider} isOpen={asked === "remove"} onClose={() => setAsked(null)} />
    </Panel>
  );
}

function EnterForm({ provider, onClose }: { readonly provider: string; readonly onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const [value, setValue] = useState("");
  const isFit = /^[!-~]{8,4096}$/.test(value.trim());
  const entering = useMutation({
    mutationFn: () =>
      call(`/admin/providers/${encodeURIComponent(provider)}/credential`, {
        method: "PUT",
        json: { value: value.trim() },
      }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: providersQuery.queryKey });
      toast(`The credential for ${provider} is stored and used from now on.`);
      onClose();
    },
  });
  return (
    <DialogForm
      action="Store credential"
      isBusy={entering.isPending}
      fault={entering.error}
      why={isFit ? null : "Paste the credential first: at least 8 visible characters."}
      onSubmit={() => entering.mutate()}
      onCancel={onClose}
    >
      <TextField
        label="Credential"
        type="password"
        required
        autoComplete="off"
        hint="The key as the provider gave it; id:secret where it gave a pair. It is sealed, goes to the provider's own hosts only, and is never shown again."
        wrong={value !== "" && !isFit ? "At least 8 visible characters, without spaces." : null}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </DialogForm>
  );
}

function RemoveCredential(props: {
  readonly provider: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { provider, onClose } = props;
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: () => call(`/admin/providers/${encodeURIComponent(provider)}/credential`, { method: "DELETE" }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: providersQuery.queryKey });
      toast(`The credential for ${provider} is gone.`);
      onClose();
    },
    onError: (thrown) => toastFault(thrown, "The credential was not removed"),
  });
  return (
    <Confirm
      title="Remove this credential?"
      action="Remove it"
      isOpen={props.isOpen}
      isBusy={removing.isPending}
      onClose={onClose}
      onConfirm={() => removing.mutate()}
    >
      <p>
        Without it, models of <strong>{provider}</strong> are served only where the environment has one, or to
        workspaces that bring their own. Calls that are open may not be followed to their end.
      </p>
    </Confirm>
  );
}

const looks = {
  ok: ["ok", Check, "Connected"],
  refused: ["bad", X, "Refused"],
  failing: ["bad", TriangleAlert, "Failing"],
  not_checked: ["plain", CircleHelp, "Not checked"],
} as const;

function TestConnection({ provider }: { readonly provider: string }): ReactNode {
  const testing = useMutation({
    mutationFn: () => call<ProviderCheck>(`/admin/providers/${encodeURIComponent(provider)}/check`, { method: "POST" }),
  });
  const found = testing.data;
  return (
    <div className={styles.answer}>
      <Button small disabled={testing.isPending} onClick={() => testing.mutate()}>
        <PlugZap aria-hidden="true" />
        {testing.isPending ? "Asking …" : "Test connection"}
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
            {found.ms === null ? null : <span className={kit.soft}>{spanOf(found.ms)}</span>}
          </>
        ) : null}
      </div>
      {testing.error ? <FaultNote fault={testing.error} /> : null}
    </div>
  );
}
