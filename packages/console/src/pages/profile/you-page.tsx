// You: who is signed in, in which workspaces, and in which browsers. Everything here is personal.

import type { AccountSession } from "@atelier/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { LogOut, ShieldCheck } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { profile as words } from "#strings/profile";
import { accountQuery, workspacesQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { endDrafts } from "../../api/drafts.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { forgetToken } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { AlertMail } from "./alert-mail.tsx";
import { browserOf } from "./browser-of.ts";

const sessionsQuery = readQuery(["account", "sessions"], operations.listSessions);

const OwnData = lazy(() => import("./own-data.tsx").then((each) => ({ default: each.OwnData })));

export function YouPage(): ReactNode {
  const { tab = "you" } = useSearch({ from: "/console/you" });
  const navigate = useNavigate({ from: "/console/you" });
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <SignOut />
      </PageHead>
      <Tabs
        label={words.title}
        chosen={tab}
        onChoose={(chosen) => navigate({ search: chosen === "you" ? {} : { tab: chosen } })}
        tabs={[
          { name: "you", label: words.tabs.you },
          { name: "data", label: words.tabs.data },
        ]}
      >
        <div className={kit.stack} style={{ marginTop: "1rem" }}>
          {tab === "data" ? (
            <Suspense fallback={<Skeleton height="16rem" />}>
              <OwnData />
            </Suspense>
          ) : (
            <Stack>
              <Person />
              <Workspaces />
              <Sessions />
              <AlertMail />
            </Stack>
          )}
        </div>
      </Tabs>
    </>
  );
}

// With the cookie, so that it also works for a person who is in no workspace and gets no token.
function SignOut(): ReactNode {
  const leave = async () => {
    try {
      await call(operations.signOut, { json: {}, as: "session" }).catch((thrown: unknown) => {
        if (asFault(thrown).status !== 401) throw thrown;
      });
      forgetToken();
      endDrafts();
      sessionStorage.clear();
      location.assign("/sign-in");
    } catch (thrown) {
      toastFault(thrown, words.notSignedOut);
    }
  };
  return (
    <Button onClick={leave}>
      <LogOut aria-hidden="true" />
      {words.signOut}
    </Button>
  );
}

function Person(): ReactNode {
  const { data: account, error, refetch } = useQuery(accountQuery);
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (account === undefined) return <Skeleton height="11.95rem" />;
  const { person } = account;
  const runsServer = (
    <Chip tone="accent" icon={ShieldCheck}>
      {words.operator}
    </Chip>
  );
  const id = person === undefined ? words.none : <CopyId id={person.id} />;
  return (
    <Panel title={person?.name ?? words.you}>
      <Facts
        of={[
          [words.facts.email, person?.email ?? words.none],
          [words.facts.role, words.roleIn(account.role, account.workspace.name)],
          [words.facts.operator, account.is_operator ? runsServer : words.no],
          [words.facts.id, id],
        ]}
      />
    </Panel>
  );
}

function Workspaces(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const { data, error, refetch } = useQuery(workspacesQuery);
  if (error) return <FaultNote fault={error} retry={refetch} />;
  return (
    <Panel title={words.workspaces.title} flush>
      {data === undefined ? (
        <Skeleton height="5.17rem" />
      ) : (
        <Table
          label={words.workspaces.title}
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "name",
              head: words.workspaces.columns.name,
              cell: ({ name }) => <span className={kit.longName}>{name}</span>,
            },
            { name: "role", head: words.workspaces.columns.role, cell: ({ role }) => role ?? "" },
            { name: "id", head: words.workspaces.columns.id, cell: ({ id }) => <CopyId id={id} /> },
            {
              name: "current",
              head: words.workspaces.columns.current,
              cell: ({ id }) =>
                id === account?.workspace.id ? <Chip tone="accent">{words.workspaces.current}</Chip> : null,
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Sessions(): ReactNode {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [isAsking, setAsking] = useState(false);
  const ended = async (text: string) => {
    toast(text);
    await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
  const end = useChange({
    change: (session: AccountSession) => call(operations.endSession, { params: { sessionId: session.id } }),
    after: () => ended(words.sessions.ended),
    failed: words.sessions.notEnded,
  });
  const endOthers = async () => {
    const { ended: count } = await call(operations.endOtherSessions);
    setAsking(false);
    await ended(words.sessions.endedMany(count));
  };
  if (error && data === undefined) return <FaultNote fault={error} retry={refetch} />;
  const hasOthers = (data?.data.length ?? 0) > 1;
  return (
    <Panel
      title={words.sessions.title}
      flush
      actions={
        hasOthers ? (
          <Button small onClick={() => setAsking(true)}>
            {words.sessions.signOutOthers}
          </Button>
        ) : null
      }
    >
      {data === undefined ? (
        <Skeleton height="3rem" count={2} />
      ) : (
        <SessionTable sessions={data.data} onEnd={(session) => end.mutate(session)} />
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.sessions.confirm}
        action={words.sessions.confirmAction}
        onConfirm={endOthers}
      >
        {words.sessions.confirmText}
      </Confirm>
    </Panel>
  );
}

function SessionTable(props: {
  readonly sessions: readonly AccountSession[];
  readonly onEnd: (session: AccountSession) => void;
}): ReactNode {
  return (
    <Table
      label={words.sessions.label}
      rows={props.sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "browser",
          head: words.sessions.columns.browser,
          cell: ({ user_agent, is_current }) => (
            <>
              <span title={user_agent ?? ""}>{browserOf(user_agent)}</span>{" "}
              {is_current ? <Chip tone="accent">{words.sessions.current}</Chip> : null}
            </>
          ),
        },
        {
          name: "address",
          head: words.sessions.columns.from,
          cell: ({ address }) => address ?? <span className={kit.soft}>{words.sessions.unknown}</span>,
        },
        {
          name: "by",
          head: words.sessions.columns.by,
          cell: ({ signed_in_by }) => (signed_in_by === "oidc" ? words.sessions.byOidc : words.sessions.byLink),
        },
        { name: "since", head: words.sessions.columns.since, cell: ({ created_at }) => <Ago at={created_at} /> },
        { name: "seen", head: words.sessions.columns.seen, cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
        { name: "until", head: words.sessions.columns.until, cell: ({ expires_at }) => <Ago at={expires_at} /> },
        {
          name: "end",
          head: <span className="visually-hidden">{words.sessions.columns.action}</span>,
          cell: (session) =>
            session.is_current ? null : (
              <Button small look="danger" onClick={() => props.onEnd(session)}>
                {words.signOut}
              </Button>
            ),
        },
      ]}
    />
  );
}
