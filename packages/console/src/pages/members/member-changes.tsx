// Adding, changing and removing members.
import type { AccountMember, AddedMember, MemberRole } from "@atelier/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { CheckField, Select, SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./members.module.css";

const roles: readonly { readonly value: MemberRole; readonly label: string }[] = [
  { value: "member", label: "Member" },
  { value: "owner", label: "Owner" },
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
    <Dialog title={added ? `${added.name} is a member` : "Add a member"} isOpen={isOpen} onClose={close}>
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
      toast(`${member.name} is a member now.`);
      props.onClose();
    },
  });
  return (
    <DialogForm
      action="Add member"
      isBusy={add.isPending}
      fault={add.error}
      why={who.trim() === "" ? "Say who it is." : null}
      onCancel={props.onClose}
      onSubmit={() => add.mutate()}
    >
      <TextField
        label="Name, or person id"
        hint={
          isKnown
            ? "A person who has an account here already: they are added without a link."
            : "A new person gets a sign-in link that works once. A person who is here already is added by their id."
        }
        required
        autoComplete="off"
        value={who}
        onChange={(event) => setWho(event.target.value)}
      />
      {isKnown ? null : (
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="off"
          hint="For people to recognise each other; nothing is sent to it."
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      )}
      <SelectField
        label="Role"
        choices={roles}
        value={role}
        hint={
          role === "owner"
            ? "Owners manage the workspace, its members and all its keys."
            : "Members use the workspace and manage the keys that they made."
        }
        onChange={(event) => setRole(roleIn(event.target.value))}
      />
      {isKnown ? null : <LinkLife hours={hours} onChoose={setHours} />}
    </DialogForm>
  );
}

const lives = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "1 day" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
];

function LinkLife({ hours, onChoose }: { readonly hours: string; readonly onChoose: (hours: string) => void }) {
  return (
    <SelectField
      label="The sign-in link works for"
      choices={lives}
      value={hours}
      hint="It works once. Until they have signed in, you can make a new one."
      onChange={(event) => onChoose(event.target.value)}
    />
  );
}

// For a member who never signed in because the first link got lost or expired.
export function InviteAgain(props: Opened & { readonly of: AccountMember | null }): ReactNode {
  const { of, onClose } = props;
  return (
    <Dialog title={`New link for ${of?.name ?? ""}`} isOpen={of !== null} onClose={onClose}>
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
      action="Make a new link"
      isBusy={invite.isPending}
      fault={invite.error}
      onCancel={onClose}
      onSubmit={() => invite.mutate()}
    >
      <p className={styles.words}>{of.name} has not signed in yet. A new link ends the earlier one.</p>
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
        Hand this link to {of.name}. It signs them in once, and is shown this one time.
        {of.sign_in ? (
          <>
            {" "}
            It ends <Ago at={of.sign_in.expires_at} />.
          </>
        ) : null}
      </p>
      <ShownOnce label="Sign-in link" text={of.sign_in?.url ?? ""} copyLabel="Copy link" look="primary" />
      <DialogFoot>
        <Button onClick={onClose}>Done</Button>
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
    onSuccess: ({ name, role }) => toast(`${name} is ${role === "owner" ? "an owner" : "a member"} now.`),
    onError: (thrown) => toastFault(thrown, "The role is as it was"),
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ["members"] });
      queries.invalidateQueries({ queryKey: ["account"] });
    },
  });
  return (
    <Select
      label={`Role of ${of.name}`}
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
      title={isMe ? "Leave this workspace?" : `Remove ${of?.name ?? ""}?`}
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
      toast(`${of.name} is out. Keys revoked: ${revoked_keys.length}.`);
      onClose();
      if (isMe) location.assign("/");
      else queries.invalidateQueries({ queryKey: ["members"] });
    },
  });
  return (
    <DialogForm
      action={isMe ? "Leave" : "Remove"}
      look="danger"
      isBusy={remove.isPending}
      fault={remove.error}
      onCancel={onClose}
      onSubmit={() => remove.mutate()}
    >
      <p className={styles.words}>
        {isMe ? "You lose" : `${of.name} loses`} access at once. Jobs, files and usage stay with the workspace.
      </p>
      <CheckField
        label="Leave their keys working"
        hint="Otherwise the keys that they made are revoked in the same moment, and programs that use them stop."
        checked={keepKeys}
        onChange={(event) => setKeepKeys(event.target.checked)}
      />
    </DialogForm>
  );
}
