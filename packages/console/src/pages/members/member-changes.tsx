// Adding, changing and removing members.
import type { AccountMember, AddedMember, MemberRole } from "@atelier/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { members as words } from "#strings/members";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { CheckField, Select, SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./members.module.css";

const roles: readonly { readonly value: MemberRole; readonly label: string }[] = [
  { value: "member", label: words.roles.member },
  { value: "owner", label: words.roles.owner },
];
const roleIn = (value: string): MemberRole => (value === "owner" ? "owner" : "member");
const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text.trim());

interface Opened {
  readonly workspaceId: string;
  readonly onClose: () => void;
}

export function AddMember({ isOpen, onClose, workspaceId }: Opened & { readonly isOpen: boolean }): ReactNode {
  const [added, setAdded] = useState<AddedMember | null>(null);
  const close = () => {
    setAdded(null);
    onClose();
  };
  return (
    <Dialog title={added ? words.add.done(added.name) : words.add.title} isOpen={isOpen} onClose={close}>
      {added === null ? (
        <MemberForm workspaceId={workspaceId} onAdded={setAdded} onClose={close} />
      ) : (
        <SignInLink of={added} onClose={close} />
      )}
    </Dialog>
  );
}

function MemberForm(props: Opened & { readonly onAdded: (member: AddedMember) => void }): ReactNode {
  const [who, setWho] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRole>("member");
  const [hours, setHours] = useState("72");
  const queries = useQueryClient();
  const isKnown = isId(who);
  const add = useMutation({
    mutationFn: () =>
      call(operations.addMember, {
        params: { workspaceId: props.workspaceId },
        json: isKnown
          ? { person_id: who.trim().toLowerCase(), role }
          : {
              name: who.trim(),
              role,
              link_hours: Number(hours),
              ...(email.trim() === "" ? {} : { email: email.trim() }),
            },
      }),
    onSuccess: (member) => {
      queries.invalidateQueries({ queryKey: ["members"] });
      if (member.sign_in !== undefined) return props.onAdded(member);
      toast(words.add.toast(member.name));
      props.onClose();
    },
  });
  return (
    <DialogForm
      action={words.add.action}
      isBusy={add.isPending}
      fault={add.error}
      why={who.trim() === "" ? words.add.why : null}
      onCancel={props.onClose}
      onSubmit={() => add.mutate()}
    >
      <TextField
        label={words.add.who}
        hint={isKnown ? words.add.known : words.add.unknown}
        required
        autoComplete="off"
        value={who}
        onChange={(event) => setWho(event.target.value)}
      />
      {isKnown ? null : (
        <TextField
          label={words.add.email}
          type="email"
          autoComplete="off"
          hint={words.add.emailHint}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      )}
      <SelectField
        label={words.add.role}
        choices={roles}
        value={role}
        hint={role === "owner" ? words.add.owner : words.add.member}
        onChange={(event) => setRole(roleIn(event.target.value))}
      />
      {isKnown ? null : <LinkLife hours={hours} onChoose={setHours} />}
    </DialogForm>
  );
}

const lives = [
  { value: "1", label: words.link.lives.hour },
  { value: "24", label: words.link.lives.day },
  { value: "72", label: words.link.lives.days(3) },
  { value: "168", label: words.link.lives.days(7) },
];

function LinkLife({ hours, onChoose }: { readonly hours: string; readonly onChoose: (hours: string) => void }) {
  return (
    <SelectField
      label={words.link.life}
      choices={lives}
      value={hours}
      hint={words.link.lifeHint}
      onChange={(event) => onChoose(event.target.value)}
    />
  );
}

// For a member who never signed in because the first link got lost or expired.
export function InviteAgain(props: Opened & { readonly of: AccountMember | null }): ReactNode {
  const { of, onClose } = props;
  return (
    <Dialog title={words.newLinkFor(of?.name ?? "")} isOpen={of !== null} onClose={onClose}>
      {of === null ? null : <NewLink {...props} of={of} />}
    </Dialog>
  );
}

function NewLink({ of, workspaceId, onClose }: Opened & { readonly of: AccountMember }): ReactNode {
  const [hours, setHours] = useState("72");
  const invite = useMutation({
    mutationFn: () =>
      call(operations.inviteMemberAgain, {
        params: { workspaceId, personId: of.id },
        json: { link_hours: Number(hours) },
      }),
  });
  if (invite.data) return <SignInLink of={{ name: of.name, sign_in: invite.data }} onClose={onClose} />;
  return (
    <DialogForm
      action={words.link.action}
      isBusy={invite.isPending}
      fault={invite.error}
      onCancel={onClose}
      onSubmit={() => invite.mutate()}
    >
      <p className={styles.words}>{words.link.text(of.name)}</p>
      <LinkLife hours={hours} onChoose={setHours} />
    </DialogForm>
  );
}

function SignInLink({
  of,
  onClose,
}: {
  readonly of: Pick<AddedMember, "name" | "sign_in">;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <>
      <p>
        {words.link.give(of.name)}
        {of.sign_in ? (
          <>
            {" "}
            <Rich text={words.link.expires} time={<Ago at={of.sign_in.expires_at} />} />
          </>
        ) : null}
      </p>
      <ShownOnce label={words.link.label} text={of.sign_in?.url ?? ""} copyLabel={words.link.copy} look="primary" />
      <DialogFoot>
        <Button onClick={onClose}>{words.link.done}</Button>
      </DialogFoot>
    </>
  );
}

export function RoleChoice({
  workspaceId,
  of,
}: {
  readonly workspaceId: string;
  readonly of: AccountMember;
}): ReactNode {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (role: MemberRole) =>
      call(operations.updateMember, { params: { workspaceId, personId: of.id }, json: { role } }),
    onSuccess: ({ name, role }) =>
      toast(role === "owner" ? words.roleChanged.owner(name) : words.roleChanged.member(name)),
    onError: (thrown) => toastFault(thrown, words.roleNotChanged),
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ["members"] });
      queries.invalidateQueries({ queryKey: ["account"] });
    },
  });
  return (
    <Select
      label={words.roleOf(of.name)}
      choices={roles}
      value={change.isPending ? change.variables : of.role}
      disabled={change.isPending}
      onChange={(event) => change.mutate(roleIn(event.target.value))}
    />
  );
}

export function RemoveMember(props: Opened & { readonly of: AccountMember | null; readonly isMe: boolean }): ReactNode {
  const { of, isMe } = props;
  return (
    <Dialog
      title={isMe ? words.removal.leave : words.removal.remove(of?.name ?? "")}
      isOpen={of !== null}
      onClose={props.onClose}
    >
      {of === null ? null : <Removal {...props} of={of} />}
    </Dialog>
  );
}

function Removal({ of, isMe, workspaceId, onClose }: Opened & { readonly of: AccountMember; readonly isMe: boolean }) {
  const [keepKeys, setKeepKeys] = useState(false);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      call(operations.removeMember, {
        params: { workspaceId, personId: of.id },
        query: keepKeys ? { keep_keys: true } : {},
      }),
    onSuccess: ({ revoked_keys }) => {
      toast(words.removal.done(of.name, revoked_keys.length));
      onClose();
      if (isMe) location.assign("/");
      else queries.invalidateQueries({ queryKey: ["members"] });
    },
  });
  return (
    <DialogForm
      action={isMe ? words.leave : words.remove}
      look="danger"
      isBusy={remove.isPending}
      fault={remove.error}
      onCancel={onClose}
      onSubmit={() => remove.mutate()}
    >
      <p className={styles.words}>{isMe ? words.removal.youLose : words.removal.theyLose(of.name)}</p>
      <CheckField
        label={words.removal.keepKeys}
        hint={words.removal.keepKeysHint}
        checked={keepKeys}
        onChange={(event) => setKeepKeys(event.target.checked)}
      />
    </DialogForm>
  );
}
