import type { Account, AccountMember } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Crown, Pencil, Plus, User, UserPlus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { members as words } from "#strings/members";
import { accountQuery } from "../../api/account.ts";
import { whyNot } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { readList } from "../../api/read-query.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Pending, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { AddMember, InviteAgain, RemoveMember, RoleChoice } from "./member-changes.tsx";
import styles from "./members.module.css";
import { NameWorkspace } from "./name-workspace.tsx";

const ServiceAccounts = lazy(() =>
  import("./service-accounts.tsx").then((each) => ({ default: each.ServiceAccounts })),
);
const KeepForDays = lazy(() => import("./keep-for-days.tsx").then((each) => ({ default: each.KeepForDays })));
const KeepBodies = lazy(() => import("./keep-bodies.tsx").then((each) => ({ default: each.KeepBodies })));

export function MembersPage(): ReactNode {
  const { data: account, error, refetch } = useQuery(accountQuery);
  if (error && account === undefined) return <FaultNote fault={error} retry={refetch} />;
  return account === undefined ? <Skeleton height="16rem" /> : <Members account={account} />;
}

function Members({ account }: { readonly account: Account }): ReactNode {
  const blockedReason = whyNot(account, operations.updateMember);
  const { tab = "people" } = useSearch({ from: "/console/members" });
  const navigate = useNavigate({ from: "/console/members" });
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<AccountMember | null>(null);
  const [invited, setInvited] = useState<AccountMember | null>(null);
  const [naming, setNaming] = useState<"rename" | "create" | null>(null);
  return (
    <>
      <PageHead
        title={words.title}
        lead={
          <Rich
            text={words.lead}
            name={<strong>{account.workspace.name}</strong>}
            id={<CopyId id={account.workspace.id} />}
          />
        }
      >
        <Button does={operations.updateWorkspace} onClick={() => setNaming("rename")}>
          <Pencil aria-hidden="true" />
          {words.rename}
        </Button>
        <Button onClick={() => setNaming("create")}>
          <Plus aria-hidden="true" />
          {words.newWorkspace}
        </Button>
        <Button does={operations.addMember} look="primary" onClick={() => setAdding(true)}>
          <UserPlus aria-hidden="true" />
          {words.addMember}
        </Button>
      </PageHead>
      <Tabs
        label={words.title}
        chosen={tab}
        onChoose={(chosen) => navigate({ search: chosen === "people" ? {} : { tab: chosen } })}
        tabs={[
          { name: "people", label: words.tabs.people },
          { name: "services", label: words.tabs.services },
          { name: "keeping", label: words.tabs.keeping },
        ]}
      >
        <div className={styles.under}>
          {tab === "people" ? (
            <MemberList account={account} blockedReason={blockedReason} onRemove={setRemoved} onInvite={setInvited} />
          ) : null}
          <Suspense fallback={<Skeleton height="16rem" />}>
            {tab === "services" ? <ServiceAccounts /> : null}
            {tab === "keeping" ? (
              <Stack>
                <KeepForDays account={account} />
                <KeepBodies account={account} />
              </Stack>
            ) : null}
          </Suspense>
        </div>
      </Tabs>
      <AddMember workspaceId={account.workspace.id} isOpen={isAdding} onClose={() => setAdding(false)} />
      <InviteAgain workspaceId={account.workspace.id} of={invited} onClose={() => setInvited(null)} />
      <RemoveMember
        workspaceId={account.workspace.id}
        of={removed}
        isMe={removed?.id === account.person?.id}
        onClose={() => setRemoved(null)}
      />
      <NameWorkspace what={naming} of={account.workspace} onClose={() => setNaming(null)} />
    </>
  );
}

function MemberList(props: {
  readonly account: Account;
  readonly blockedReason: string | null;
  readonly onRemove: (member: AccountMember) => void;
  readonly onInvite: (member: AccountMember) => void;
}): ReactNode {
  const { account, blockedReason, onRemove } = props;
  const id = account.workspace.id;
  const { data, error, refetch } = useQuery(
    readList(["members", id], operations.listMembers, { params: { workspaceId: id } }),
  );
  if (data === undefined) return <Pending fault={error} retry={refetch} height="4rem" count={3} />;
  const owners = data.filter(({ role }) => role === "owner").length;
  return (
    <Panel title={words.count(data.length)} flush>
      <ul>
        {data.map((member) => {
          const isMe = member.id === account.person?.id;
          const isLast = member.role === "owner" && owners === 1;
          return (
            <li key={member.id} className={styles.row} data-member={member.id}>
              <div className={styles.who}>
                <Heading>
                  {member.name} {isMe ? <Chip tone="accent">{words.you}</Chip> : null}{" "}
                  {member.has_signed_in === false ? <Chip tone="warn">{words.invited}</Chip> : null}
                </Heading>
                <div className={kit.soft}>
                  <Rich
                    text={words.joined}
                    email={member.email ?? words.noEmail}
                    time={<Ago at={member.joined_at} />}
                  />
                </div>
              </div>
              {blockedReason === null && !isLast ? (
                <RoleChoice workspaceId={id} of={member} />
              ) : (
                <span title={isLast ? words.lastOwner : words.add.may[member.role]}>
                  <Chip
                    tone={member.role === "owner" ? "accent" : "plain"}
                    icon={member.role === "owner" ? Crown : User}
                  >
                    {words.roles[member.role]}
                  </Chip>
                </span>
              )}
              {member.has_signed_in === false && blockedReason === null ? (
                <Button
                  does={operations.inviteMemberAgain}
                  small
                  aria-label={words.newLinkFor(member.name)}
                  onClick={() => props.onInvite(member)}
                >
                  {words.newLink}
                </Button>
              ) : null}
              <Button
                small
                look="danger"
                aria-label={isMe ? words.leaveWorkspace : words.removeNamed(member.name)}
                why={isLast ? words.lastOwnerStays : isMe ? null : blockedReason}
                onClick={() => onRemove(member)}
              >
                {isMe ? words.leave : words.remove}
              </Button>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
