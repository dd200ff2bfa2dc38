// Service accounts: programs with a name and a role of their own, their keys, and their end.
import type { AccountKey, CreatedAccountKey, MemberRole, ServiceAccount } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Bot, KeyRound, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { members } from "#strings/members";
import { keyState, keysQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { readList } from "../../api/read-query.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useField } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago, useNow } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { SecretDialog, SecretForm } from "../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty, FaultNote, Pending } from "../../ui/states.tsx";
import { roleIn, roles } from "./member-changes.tsx";
import styles from "./members.module.css";

const words = members.services;

const accountsKey = ["service-accounts"];

export function ServiceAccounts(): ReactNode {
  const [isMaking, setMaking] = useState(false);
  const [keyed, setKeyed] = useState<ServiceAccount | null>(null);
  const [removed, setRemoved] = useState<ServiceAccount | null>(null);
  const { data, error, refetch } = useQuery(readList(accountsKey, operations.listServiceAccounts));
  const keys = useQuery(keysQuery);
  if (data === undefined) return <Pending fault={error} retry={refetch} height="4rem" count={3} />;
  const make = (
    <Button
      does={operations.createServiceAccount}
      small={data.length > 0}
      look="primary"
      onClick={() => setMaking(true)}
    >
      <Plus aria-hidden="true" />
      {words.make}
    </Button>
  );
  return (
    <>
      <Panel title={words.title} flush actions={data.length === 0 ? null : make}>
        {data.length === 0 ? (
          <Empty icon={Bot} title={words.none} actions={make}>
            {words.noneText}
          </Empty>
        ) : (
          <ul>
            {data.map((account) => (
              <Row
                key={account.id}
                of={account}
                keys={keys.data?.filter((key) => key.service_account?.id === account.id)}
                onKey={() => setKeyed(account)}
                onRemove={() => setRemoved(account)}
              />
            ))}
          </ul>
        )}
        {keys.error && keys.data === undefined ? <FaultNote fault={keys.error} retry={keys.refetch} /> : null}
      </Panel>
      <Dialog title={words.make} isOpen={isMaking} onClose={() => setMaking(false)}>
        {isMaking ? <NewAccount onClose={() => setMaking(false)} /> : null}
      </Dialog>
      <NewKey of={keyed} onClose={() => setKeyed(null)} />
      <Dialog title={words.removeTitle(removed?.name ?? "")} isOpen={removed !== null} onClose={() => setRemoved(null)}>
        {removed === null ? null : <Removal of={removed} onClose={() => setRemoved(null)} />}
      </Dialog>
    </>
  );
}

function Row(props: {
  readonly of: ServiceAccount;
  // Undefined until they are known.
  readonly keys: readonly AccountKey[] | undefined;
  readonly onKey: () => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { of, keys } = props;
  const now = useNow(30_000);
  const working = keys?.filter((key) => keyState(key, now) === "works");
  return (
    <li className={styles.row} data-service-account={of.id}>
      <div className={styles.who}>
        <Heading>{of.name}</Heading>
        <div className={kit.soft}>
          {words.made} <Ago at={of.created_at} />
        </div>
        <ul className={styles.keyLines}>
          {working?.map((key) => (
            <li key={key.id}>
              <KeyRound aria-hidden="true" size={14} /> {key.name} <code>{key.hint}…</code>
            </li>
          ))}
          {working?.length === 0 ? <li className={kit.soft}>{words.noKeys}</li> : null}
        </ul>
      </div>
      <span title={members.add.may[of.role]}>
        <Chip tone={of.role === "owner" ? "accent" : "plain"}>{members.roles[of.role]}</Chip>
      </span>
      <Button does={operations.createServiceAccount} small aria-label={words.newKeyFor(of.name)} onClick={props.onKey}>
        {words.newKey}
      </Button>
      <Button
        does={operations.deleteServiceAccount}
        small
        look="danger"
        aria-label={members.removeNamed(of.name)}
        onClick={props.onRemove}
      >
        {members.remove}
      </Button>
    </li>
  );
}

function NewAccount({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, nameField] = useField("");
  const [role, setRole] = useState<MemberRole>("member");
  return (
    <ChangeForm
      action={words.make}
      why={name.trim() === "" ? members.naming.why : null}
      change={() => call(operations.createServiceAccount, { json: { name: name.trim(), role } })}
      stale={[accountsKey]}
      said={(account) => words.isMade(account.name)}
      onClose={onClose}
    >
      <TextField
        label={members.naming.name}
        hint={words.nameHint}
        required
        maxLength={100}
        autoComplete="off"
        {...nameField}
      />
      <SelectField
        label={members.add.role}
        choices={roles}
        value={role}
        hint={words.may[role]}
        onChange={(event) => setRole(roleIn(event.target.value))}
      />
    </ChangeForm>
  );
}

const lives = [
  { value: "", label: words.lives.never },
  { value: "30", label: words.lives.days(30) },
  { value: "90", label: words.lives.days(90) },
  { value: "365", label: words.lives.year },
];
const dayMs = 86_400_000;

function NewKey({ of, onClose }: { readonly of: ServiceAccount | null; readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState("");
  const [days, daysField] = useField("");
  const expires_at = days === "" ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();
  return (
    <SecretDialog<CreatedAccountKey>
      title={words.newKeyFor(of?.name ?? "")}
      readyTitle={(key) => words.keyMade(key.name)}
      isOpen={of !== null}
      onClose={() => {
        setName("");
        onClose();
      }}
      form={(steps) => (
        <SecretForm
          {...steps}
          action={words.newKey}
          why={name.trim() === "" ? members.naming.why : null}
          changes={keysQuery.queryKey}
          create={() =>
            call(operations.createKey, {
              json: { name: name.trim(), role: of?.role ?? "viewer", service_account_id: of?.id ?? null, expires_at },
            })
          }
        >
          <TextField
            label={members.naming.name}
            hint={words.keyHint}
            required
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <SelectField label={words.life} choices={lives} {...daysField} />
        </SecretForm>
      )}
      secret={(key) => (
        <>
          <p>{words.onlyNow}</p>
          <ShownOnce label={words.key} text={key.secret} copyLabel={words.copyKey} look="primary" />
        </>
      )}
      done={members.link.done}
    />
  );
}

function Removal({ of, onClose }: { readonly of: ServiceAccount; readonly onClose: () => void }): ReactNode {
  return (
    <ChangeForm
      action={members.remove}
      look="danger"
      change={() => call(operations.deleteServiceAccount, { params: { accountId: of.id } })}
      stale={[accountsKey, keysQuery.queryKey]}
      said={({ revoked_keys }) => words.isRemoved(of.name, revoked_keys.length)}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </ChangeForm>
  );
}
