// You: who is signed in, in which workspaces, and in which browsers. Everything here is personal.
import type { AccountSession } from "@atelier/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LogOut, ShieldCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { accountQuery, workspacesQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { endDrafts } from "../../api/drafts.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { forgetToken } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { browserOf } from "./browser-of.ts";

const sessionsQuery = queryOptions({
  queryKey: ["account", "sessions"],
  queryFn: ({ signal }) => call(operations.listSessions, { signal }),
});

export function YouPage(): ReactNode {
  return (
    <>
      <PageHead title="You" lead="Who you are here, and where you are signed in.">
        <SignOut />
      </PageHead>
      <Stack>
        <Person />
        <Workspaces />
        <Sessions />
      </Stack>
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
      toastFault(thrown, "Signing out");
    }
  };
  return (
    <Button onClick={leave}>
      <LogOut aria-hidden="true" />
      Sign out
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
      runs this server
    </Chip>
  );
  const id = person === undefined ? "none" : <CopyId id={person.id} />;
  return (
    <Panel title={person?.name ?? "You"}>
      <Facts
        of={[
          ["E-mail", person?.email ?? "none"],
          ["Role here", `${account.role} of ${account.workspace.name}`],
          ["Operator", account.is_operator ? runsServer : "no"],
          ["Your id", id],
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
    <Panel title="Your workspaces" flush>
      {data === undefined ? (
        <Skeleton height="5.17rem" />
      ) : (
        <Table
          label="Your workspaces"
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            { name: "name", head: "Name", cell: ({ name }) => <span className={kit.longName}>{name}</span> },
            { name: "role", head: "Your role", cell: ({ role }) => role ?? "" },
            { name: "id", head: "Id", cell: ({ id }) => <CopyId id={id} /> },
            {
              name: "current",
              head: "Shown",
              cell: ({ id }) => (id === account?.workspace.id ? <Chip tone="ok">this page</Chip> : null),
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
  const ended = async (words: string) => {
    toast(words);
    await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
  const end = useMutation({
    mutationFn: (session: AccountSession) => call(operations.endSession, { params: { sessionId: session.id } }),
    onSuccess: () => ended("That browser is signed out."),
    onError: (thrown) => toastFault(thrown, "Ending the session"),
  });
  const endOthers = async () => {
    const { ended: count } = await call(operations.endOtherSessions);
    setAsking(false);
    await ended(`${count} ${count === 1 ? "browser is" : "browsers are"} signed out.`);
  };
  if (error && data === undefined) return <FaultNote fault={error} retry={refetch} />;
  const hasOthers = (data?.data.length ?? 0) > 1;
  return (
    <Panel
      title="Where you are signed in"
      flush
      actions={
        hasOthers ? (
          <Button small onClick={() => setAsking(true)}>
            Sign out all others
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
        title="Sign out all other browsers?"
        action="Sign them out"
        onConfirm={endOthers}
      >
        Everything they have open stops within a second. Keys and running jobs are not concerned.
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
      label="Sessions"
      rows={props.sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "browser",
          head: "Browser",
          cell: ({ user_agent, is_current }) => (
            <>
              <span title={user_agent ?? ""}>{browserOf(user_agent)}</span>{" "}
              {is_current ? <Chip tone="ok">this one</Chip> : null}
            </>
          ),
        },
        { name: "address", head: "From", cell: ({ address }) => address ?? <span className={kit.soft}>unknown</span> },
        { name: "by", head: "By", cell: ({ signed_in_by }) => (signed_in_by === "oidc" ? "single sign-on" : "link") },
        { name: "since", head: "Signed in", cell: ({ created_at }) => <Ago at={created_at} /> },
        { name: "seen", head: "Last seen", cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
        { name: "until", head: "Ends", cell: ({ expires_at }) => <Ago at={expires_at} /> },
        {
          name: "end",
          head: <span className="visually-hidden">Action</span>,
          cell: (session) =>
            session.is_current ? null : (
              <Button small look="danger" onClick={() => props.onEnd(session)}>
                Sign out
              </Button>
            ),
        },
      ]}
    />
  );
}
