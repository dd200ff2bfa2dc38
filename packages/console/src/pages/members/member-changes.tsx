// Adding, changing and removing members.
import type { AccountMember, AddedMember, MemberRole } from "@atelier/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { members as words } from "#strings/members";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Select, SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./members.module.css";

export const roles = (["viewer", "member", "billing", "owner"] as const).map((value) => ({
  value,
  label: words.roles[value],
}));
export const roleIn = (value: string): MemberRole => roles.find((role) => role.value === value)?.value ?? "viewer";
const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text.trim());

type Link = NonNullable<AddedMember["sign_in"]>;

interface Opened {
  readonly workspaceId: string;
  readonly onClose: () => void;
}

export function AddMember({ isOpen, onClose, workspaceId }: Opened & { readonly isOpen: boolean }): ReactNode {
  return (
    <SecretDialog<AddedMember>
      title={words.add.title}
      readyTitle={({ name }) => words.add.done(name)}
      isOpen={isOpen}
      onClose={onClose}
      form={(steps) => <MemberForm workspaceId={workspaceId} {...steps} />}
      secret={({ name, sign_in }) => <SignInLink name={name} link={sign_in} />}
      done={words.link.done}
    />
  );
}

function MemberForm({ workspaceId, ...steps }: SecretSteps<AddedMember> & { readonly workspaceId: string }): ReactNode {
  const { draft, text } = useDraft({ who: "", email: "" });
  const [role, setRole] = useState<MemberRole>("member");
  const [hours, setHours] = useState("72");
  const [who, email] = [draft.who.trim(), draft.email.trim()];
  const isKnown = isId(who);
  const json = isKnown
    ? { person_id: who.toLowerCase(), role }
    : { name: who, role, link_hours: Number(hours), ...(email === "" ? {} : { email }) };
  return (
    <SecretForm
      action={words.add.action}
      create={() => call(operations.addMember, { params: { workspaceId }, json })}
      changes={["members"]}
      why={who === "" ? words.add.why : null}
      onCancel={steps.onCancel}
      onMade={(member) => {
        if (member.sign_in !== undefined) return steps.onMade(member);
        toast(words.add.toast(member.name));
        steps.onCancel();
      }}
    >
      <TextField label={words.add.who} hint={isKnown ? words.add.known : words.add.unknown} required {...text("who")} />
      {isKnown ? null : (
        <TextField label={words.add.email} type="email" hint={words.add.emailHint} {...text("email")} />
      )}
      <SelectField
        label={words.add.role}
        choices={roles}
        value={role}
        hint={words.add.may[role]}
        onChange={(event) => setRole(roleIn(event.target.value))}
      />
      {isKnown ? null : <LinkLife hours={hours} onChoose={setHours} />}
    </SecretForm>
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
export function InviteAgain({ of, workspaceId, onClose }: Opened & { readonly of: AccountMember | null }): ReactNode {
  const name = of?.name ?? "";
  return (
    <SecretDialog<Link>
      title={words.newLinkFor(name)}
      readyTitle={() => words.newLinkFor(name)}
      isOpen={of !== null}
      onClose={onClose}
      form={(steps) => (of === null ? null : <NewLink of={of} workspaceId={workspaceId} {...steps} />)}
      secret={(link) => <SignInLink name={name} link={link} />}
      done={words.link.done}
    />
  );
}

function NewLink({
  of,
  workspaceId,
  ...steps
}: SecretSteps<Link> & { readonly of: AccountMember; readonly workspaceId: string }): ReactNode {
  const [hours, setHours] = useState("72");
  const [params, json] = [{ workspaceId, personId: of.id }, { link_hours: Number(hours) }];
  return (
    <SecretForm
      {...steps}
      action={words.link.action}
      create={() => call(operations.inviteMemberAgain, { params, json })}
    >
      <p className={styles.words}>{words.link.text(of.name)}</p>
      <LinkLife hours={hours} onChoose={setHours} />
    </SecretForm>
  );
}

function SignInLink({ name, link }: { readonly name: string; readonly link: Link | undefined }): ReactNode {
  return (
    <>
      <p>
        {words.link.give(name)}
        {link ? (
          <>
            {" "}
            <Rich text={words.link.expires} time={<Ago at={link.expires_at} />} />
          </>
        ) : null}
      </p>
      <ShownOnce label={words.link.label} text={link?.url ?? ""} copyLabel={words.link.copy} look="primary" />
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
    onSuccess: ({ name, role }) => toast(words.roleChanged[role](name)),
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
  return (
    <ChangeForm
      action={isMe ? words.leave : words.remove}
      look="danger"
      change={() =>
        call(operations.removeMember, {
          params: { workspaceId, personId: of.id },
          query: keepKeys ? { keep_keys: true } : {},
        })
      }
      said={({ revoked_keys }) => words.removal.done(of.name, revoked_keys.length)}
      after={() => {
        if (isMe) location.assign("/");
        else void queries.invalidateQueries({ queryKey: ["members"] });
      }}
      onClose={onClose}
    >
      <p className={styles.words}>{isMe ? words.removal.youLose : words.removal.theyLose(of.name)}</p>
      <CheckField
        label={words.removal.keepKeys}
        hint={words.removal.keepKeysHint}
        checked={keepKeys}
        onChange={(event) => setKeepKeys(event.target.checked)}
      />
    </ChangeForm>
  );
}
