// Whether the person gets alerts of the chosen workspace by e-mail. Only for those who could: with a role for money, on a server
// that sends mail.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { profile } from "#strings/profile";
import { accountQuery, alertsQuery, isForMoney } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { useChange } from "../../ui/calls/use-change.ts";
import { CheckField } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";

const words = profile.mail;

export function AlertMail(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const { data, error, refetch } = useQuery(alertsQuery);
  const queries = useQueryClient();
  const save = useChange({
    change: (wanted: boolean) => call(operations.setAlertMail, { json: { wanted } }),
    said: (settings) => (settings.mail_wanted ? words.on : words.off),
    after: (settings) => void queries.setQueryData(alertsQuery.queryKey, settings),
    failed: words.notSaved,
  });
  if (error && data === undefined) return <FaultNote fault={error} retry={refetch} />;
  if (!data?.sends_mail || data.mail_wanted === null || account === undefined || !isForMoney(account)) return null;
  if (!account.person?.email) {
    return (
      <Panel title={words.title}>
        <p className={kit.hint}>{words.noAddress}</p>
      </Panel>
    );
  }
  return (
    <Panel title={words.title}>
      <CheckField
        label={words.label(account.workspace.name)}
        hint={words.hint}
        checked={data.mail_wanted}
        disabled={save.isPending}
        onChange={(event) => save.mutate(event.target.checked)}
      />
    </Panel>
  );
}
