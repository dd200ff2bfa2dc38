// Hours in which the workspace spent far more than usual: whether they are reported, from which amount on, and the last ones.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { oddSpending as words } from "#strings/usage/odd-spending";
import { accountQuery, alertsQuery, isForMoney } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { CheckField, TextField } from "../../ui/fields.tsx";
import { Ago, formatCredits } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";

export function OddSpending(): ReactNode {
  const { data, error, refetch } = useQuery(alertsQuery);
  if (error && data === undefined) return <FaultNote fault={error} retry={refetch} />;
  return (
    <Panel title={words.title}>
      <div className={kit.stack}>
        <p className={kit.hint}>{words.lead}</p>
        {data === undefined ? (
          <Skeleton height="6rem" />
        ) : (
          <Watch key={data.odd_spending.at_least} of={data.odd_spending} />
        )}
        {data === undefined ? null : <Hours of={data.odd_spending.alerts} />}
      </div>
    </Panel>
  );
}

type Watched = Awaited<ReturnType<NonNullable<typeof alertsQuery.queryFn>>>["odd_spending"];
const amount = /^(0|[1-9]\d{0,11})(\.\d{1,6})?$/;

function Watch({ of }: { readonly of: Watched }): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const [atLeast, setAtLeast] = useState(of.at_least);
  const queries = useQueryClient();
  const save = useChange({
    change: (watched: boolean) => call(operations.setOddSpending, { json: { watched, at_least: atLeast } }),
    said: (settings) => (settings.odd_spending.watched ? words.on : words.off),
    after: (settings) => void queries.setQueryData(alertsQuery.queryKey, settings),
    failed: words.notSaved,
  });
  const isRight = amount.test(atLeast);
  const mayNot = account === undefined || !isForMoney(account);
  return (
    <>
      <CheckField
        label={words.watched}
        hint={mayNot ? words.ownersOnly : undefined}
        checked={of.watched}
        disabled={mayNot || save.isPending || !isRight}
        onChange={(event) => save.mutate(event.target.checked)}
      />
      {of.watched && !mayNot ? (
        <form
          className={kit.stack}
          onSubmit={(event) => {
            event.preventDefault();
            if (isRight) save.mutate(true);
          }}
        >
          <TextField
            label={words.atLeast}
            inputMode="decimal"
            autoComplete="off"
            value={atLeast}
            wrong={isRight ? null : words.atLeastWrong}
            onChange={(event) => setAtLeast(event.target.value.trim())}
          />
          {atLeast === of.at_least ? null : (
            <div>
              <Button type="submit" small does={operations.setOddSpending}>
                {words.save}
              </Button>
            </div>
          )}
        </form>
      ) : null}
    </>
  );
}

function Hours({ of }: { readonly of: Watched["alerts"] }): ReactNode {
  if (of.length === 0) return <p className={kit.hint}>{words.none}</p>;
  return (
    <ul aria-label={words.list}>
      {of.slice(0, 5).map(({ hour, spent, average, highest, weeks }) => (
        <li key={hour}>
          <Ago at={hour} />
          {": "}
          {words.line(formatCredits(spent), formatCredits(average), formatCredits(highest), weeks)}
        </li>
      ))}
    </ul>
  );
}
