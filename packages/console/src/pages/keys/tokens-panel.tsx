// The workspace's active tokens: what each may do, what it has spent, and when it ends.
import type { AccountToken } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { tokens as words } from "#strings/keys/tokens";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import { Ago, useNow } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { CreditMeter } from "../../ui/meter.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./keys.module.css";
import { NewTokenDialog } from "./new-token.tsx";
import { tokensQuery } from "./token-queries.ts";

export function TokensPanel(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...tokensQuery, refetchInterval: 15_000 });
  const now = useNow(30_000);
  const active = data?.filter((token) => token.revoked_at === null && Date.parse(token.expires_at) > now) ?? [];
  return (
    <>
      <Panel
        title={words.title(active.length)}
        flush
        actions={
          <Button small onClick={() => setOpen(true)}>
            <Plus aria-hidden="true" />
            {words.newToken}
          </Button>
        }
      >
        <p className={styles.note}>{words.lead}</p>
        {error && data === undefined ? <FaultNote fault={error} retry={refetch} /> : null}
        {data === undefined && !error ? <Skeleton height="4rem" /> : null}
        <ul className={styles.list}>
          {active.map((token) => (
            <TokenRow key={token.id} of={token} />
          ))}
        </ul>
      </Panel>
      <NewTokenDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function TokenRow({ of }: { readonly of: AccountToken }): ReactNode {
  const name = of.label ?? of.end_user ?? words.unnamed;
  const revoke = useChange({
    change: () => call(operations.revokeToken, { params: { tokenId: of.id } }),
    stale: [tokensQuery.queryKey],
    said: () => words.revoked(name),
    failed: words.notRevoked,
  });
  return (
    <li className={styles.row} data-state="works" data-token={of.id}>
      <div className={styles.about}>
        <Heading>{name}</Heading>
        <div className={styles.line}>
          <code className={styles.hint}>{of.hint}…</code>
          {of.capabilities.map((each) => (
            <Chip key={each} tone="plain">
              {words.capabilities[each]}
            </Chip>
          ))}
        </div>
      </div>
      <TokenFacts of={of} />
      <div className={styles.spent}>
        <CreditMeter label={words.spent} spent={of.credits_spent} max={of.credits_max} />
      </div>
      <div className={styles.acts}>
        <Button
          small
          look="danger"
          aria-label={words.revokeNamed(name)}
          disabled={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          {words.revoke}
        </Button>
      </div>
    </li>
  );
}

function TokenFacts({ of }: { readonly of: AccountToken }): ReactNode {
  return (
    <dl className={styles.times}>
      <div>
        <dt>{words.ends}</dt>
        <dd>
          <Ago at={of.expires_at} />
        </dd>
      </div>
      {of.models.length === 0 ? null : (
        <div>
          <dt>{words.models}</dt>
          <dd>{of.models.join(", ")}</dd>
        </div>
      )}
      <div>
        <dt>{words.pages}</dt>
        <dd>{of.origins?.join(", ") ?? <span className={kit.soft}>{words.anyPage}</span>}</dd>
      </div>
      {of.end_user === null ? null : (
        <div>
          <dt>{words.forUser}</dt>
          <dd>{of.end_user}</dd>
        </div>
      )}
    </dl>
  );
}
