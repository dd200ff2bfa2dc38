// Whether the person may operate this server. If not, they see why, and what to ask for.

import { useQuery } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";
import { operate as words } from "#strings/operate";
import { accountQuery } from "../../api/account.ts";
import { CodeBlock } from "../../ui/copy.tsx";
import { Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./operate.module.css";
import { addOperator } from "./snippets.ts";

export interface Operating {
  // Whether operators' pages are theirs to see. Null until it is known.
  readonly isOperator: boolean | null;
  // Why a button is disabled; null if it is not.
  readonly why: string | null;
}

export function useOperating(): Operating {
  const { data } = useQuery(accountQuery);
  if (data === undefined) return { isOperator: null, why: words.unknownYet };
  const isOperator = data.is_operator === true;
  const isAuditor = data.installation_role === "auditor";
  // An auditor sees what operators see; what changes something says why it is off.
  return {
    isOperator: isOperator || isAuditor,
    why: isOperator ? null : isAuditor ? words.auditor : words.notOperator,
  };
}

// Shows the content to operators; others read how to become one.
export function ForOperators({ children }: { readonly children: ReactNode }): ReactNode {
  const { data, error, refetch } = useQuery(accountQuery);
  if (data === undefined) return <Pending fault={error} retry={refetch} height="14rem" />;
  if (data.is_operator === true || data.installation_role === "auditor") return children;
  const who = data.person?.id ?? "PERSON_ID";
  return (
    <div className={styles.notice} role="note">
      <ShieldAlert aria-hidden="true" />
      <div>
        <h2>{words.forOperators}</h2>
        <p>{data.person ? <Rich text={words.signedInAs} name={data.person.name} /> : words.notOne}</p>
        <CodeBlock code={addOperator(who)} label={words.command} />
      </div>
    </div>
  );
}
