import type { AccountKey } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Ban, Clock, KeyRound, Pencil, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { keys as words } from "#strings/keys";
import { accountQuery, isForMoney, keyState } from "../../api/account.ts";
import { operations } from "../../api/operations.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CheckField } from "../../ui/fields.tsx";
import { Ago, useNow } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { CreditMeter } from "../../ui/meter.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Empty, Pending, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { EditCaps, RenameKey, RevokeKey } from "./key-changes.tsx";
import { capsQuery, keysQuery, makersQuery } from "./key-queries.ts";
import styles from "./keys.module.css";
import { NewKey } from "./new-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import { TokensPanel } from "./tokens-panel.tsx";

export function KeysPage(): ReactNode {
  const search = useSearch({ from: "/profile/api-keys" });
  const navigate = useNavigate({ from: "/profile/api-keys" });
  // The panel below the list comes after it, so that the list's arrival does not move it.
  const areKeysThere = !useQuery(keysQuery).isPending;
  const [revoked, setRevoked] = useState<AccountKey | null>(null);
  const [capped, setCapped] = useState<AccountKey | null>(null);
  const [renamed, setRenamed] = useState<AccountKey | null>(null);
  const [rotated, setRotated] = useState<AccountKey | null>(null);
  const open = (isOpen: boolean) =>
    navigate({ search: ({ new: _, ...rest }) => (isOpen ? { ...rest, new: true } : rest) });
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Button look="primary" onClick={() => open(true)}>
          <Plus aria-hidden="true" />
          {words.newKey}
        </Button>
      </PageHead>
      <div className={kit.stack}>
        <KeyList
          onNew={() => open(true)}
          onRename={setRenamed}
          onRevoke={setRevoked}
          onCaps={setCapped}
          onRotate={setRotated}
        />
        {areKeysThere ? <TokensPanel /> : null}
      </div>
      <NewKey isOpen={search.new ?? false} onClose={() => open(false)} />
      <RenameKey of={renamed} onClose={() => setRenamed(null)} />
      <RevokeKey of={revoked} onClose={() => setRevoked(null)} />
      <EditCaps of={capped} onClose={() => setCapped(null)} />
      <RotateKey of={rotated} onClose={() => setRotated(null)} />
    </>
  );
}

interface Actions {
  readonly onRename: (key: AccountKey) => void;
  readonly onRevoke: (key: AccountKey) => void;
  readonly onCaps: (key: AccountKey) => void;
  readonly onRotate: (key: AccountKey) => void;
}

function KeyList({ onNew, ...actions }: Actions & { readonly onNew: () => void }): ReactNode {
  const { ended } = useSearch({ from: "/profile/api-keys" });
  const navigate = useNavigate({ from: "/profile/api-keys" });
  const { data: keys, error, refetch } = useQuery({ ...keysQuery, refetchInterval: 15_000 });
  const now = useNow(30_000);
  if (keys === undefined) return <Pending fault={error} retry={refetch} height="5.5rem" count={3} />;
  const works = keys.filter((key) => keyState(key, now) === "works");
  const shown = ended ? keys : works;
  const count = keys.length - works.length;
  return (
    <Panel
      title={words.active(works.length)}
      flush
      actions={
        count === 0 ? null : (
          <CheckField
            label={words.showEnded(count)}
            checked={ended ?? false}
            onChange={(event) =>
              navigate({ search: ({ ended: _, ...rest }) => (event.target.checked ? { ...rest, ended: true } : rest) })
            }
          />
        )
      }
    >
      {shown.length === 0 ? (
        <Empty
          icon={KeyRound}
          title={words.none}
          actions={
            <Button look="primary" onClick={onNew}>
              {words.createFirst}
            </Button>
          }
        >
          <Rich text={words.noneText} header={<code>Authorization: Bearer …</code>} />
        </Empty>
      ) : (
        <ul className={styles.list}>
          {shown.map((key) => (
            <KeyRow key={key.id} of={key} {...actions} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function KeyRow({ of, onRename, onRevoke, onCaps, onRotate }: Actions & { readonly of: AccountKey }): ReactNode {
  const now = useNow(30_000);
  const state = keyState(of, now);
  const { data: account } = useQuery(accountQuery);
  const isOwner = account?.role === "owner";
  const isMine = account?.person !== undefined && of.created_by === account.person.id;
  return (
    <li className={styles.row} data-state={state} data-key={of.id}>
      <div className={styles.about}>
        <div className={styles.name}>
          <Heading>{of.name}</Heading>
          {state === "works" && (isOwner || isMine) ? (
            <IconButton small label={words.renameNamed(of.name)} onClick={() => onRename(of)}>
              <Pencil aria-hidden="true" />
            </IconButton>
          ) : null}
        </div>
        <div className={styles.line}>
          <code className={styles.hint}>{of.hint}…</code>
          {state === "revoked" ? (
            <Chip tone="bad" icon={Ban}>
              {words.revoked}
            </Chip>
          ) : state === "expired" ? (
            <Chip tone="warn" icon={Clock}>
              {words.expired}
            </Chip>
          ) : null}
          {of.scopes.map((scope) => (
            <Chip key={scope} tone={scope === "account" ? "accent" : "plain"}>
              {scope}
            </Chip>
          ))}
        </div>
      </div>
      <KeyTimes of={of} />
      <div className={styles.spent}>{state === "works" ? <Spent of={of} /> : null}</div>
      <div className={styles.acts}>
        {state === "works" ? (
          <>
            <Button
              does={operations.setKeyCaps}
              small
              why={isForMoney(account) ? null : words.capsWhy}
              onClick={() => onCaps(of)}
            >
              {words.caps}
            </Button>
            <Button
              small
              aria-label={words.rotateNamed(of.name)}
              why={isOwner || isMine ? null : words.rotateWhy}
              onClick={() => onRotate(of)}
            >
              {words.rotate}
            </Button>
            <Button
              small
              look="danger"
              aria-label={words.revokeNamed(of.name)}
              why={isOwner || isMine ? null : words.revokeWhy}
              onClick={() => onRevoke(of)}
            >
              {words.revoke}
            </Button>
          </>
        ) : null}
      </div>
    </li>
  );
}

function KeyTimes({ of }: { readonly of: AccountKey }): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const workspaceId = account?.workspace.id ?? "";
  const { data: members } = useQuery({ ...makersQuery(workspaceId), enabled: workspaceId !== "" });
  const maker = members?.find(({ id }) => id === of.created_by)?.name;
  return (
    <dl className={styles.times}>
      <div>
        <dt>{words.lastUsed}</dt>
        <dd>
          <Ago at={of.last_used_at} />
        </dd>
      </div>
      <div>
        <dt>{words.created}</dt>
        <dd>
          <Ago at={of.created_at} />
          {maker ? <span className={kit.soft}>{words.createdBy(maker)}</span> : null}
        </dd>
      </div>
      <div>
        <dt>{of.revoked_at ? words.revoked : words.expires}</dt>
        <dd>
          <Ago at={of.revoked_at ?? of.expires_at} />
        </dd>
      </div>
    </dl>
  );
}

function Spent({ of }: { readonly of: AccountKey }): ReactNode {
  const { data, isError } = useQuery({ ...capsQuery(of.id), staleTime: 15_000 });
  if (isError) return <span className={kit.soft}>{words.spentUnknown}</span>;
  if (data === undefined) return <Skeleton height="1.4rem" />;
  return (
    <>
      {data.daily_credits_max === null ? null : (
        <CreditMeter label={words.today} spent={data.spent_today} max={data.daily_credits_max} />
      )}
      <CreditMeter label={words.thisMonth} spent={data.spent_this_month} max={data.monthly_credits_max} />
      <Link className={styles.usage} to="/console/usage" search={{ api_key_id: of.id }}>
        {words.usage}
      </Link>
    </>
  );
}
