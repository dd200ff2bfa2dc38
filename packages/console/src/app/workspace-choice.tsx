// Which workspace the whole page is about. Switching gets a new token and reloads everything.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { app as words } from "#strings/app";
import { accountQuery, workspacesQuery } from "../api/account.ts";
import { call } from "../api/client.ts";
import { configQuery } from "../api/config.ts";
import { operations } from "../api/operations.ts";
import { forgetToken } from "../api/session.ts";
import { toastFault } from "../ui/toast.tsx";
import styles from "./shell.module.css";

export function WorkspaceChoice(): ReactNode {
  const { data: config } = useQuery(configQuery);
  const hasAccount = config?.auth === "session";
  const { data: account, isError: isUnknown } = useQuery({ ...accountQuery, enabled: hasAccount });
  const { data: workspaces } = useQuery({ ...workspacesQuery, enabled: hasAccount });
  const queries = useQueryClient();
  const router = useRouter();
  if (!hasAccount)
    return <strong className={styles.workspace}>{config?.surface === "self_hosted" ? words.thisMachine : ""}</strong>;
  const choose = async (id: string) => {
    try {
      // With the cookie rather than the token, because the session itself changes.
      await call(operations.chooseSessionWorkspace, { json: { workspace_id: id }, as: "session" });
      forgetToken();
      await call(operations.getAccount);
      // Not clear(), because what is on the page must be fetched again.
      await queries.resetQueries();
      await router.invalidate();
    } catch (thrown) {
      toastFault(thrown, words.workspaceNotChanged);
    }
  };
  const all = workspaces?.data ?? (account ? [account.workspace] : []);
  return (
    <select
      className={styles.workspace}
      aria-label={words.workspace}
      value={account?.workspace.id ?? ""}
      onChange={(event) => choose(event.target.value)}
    >
      {all.length === 0 && isUnknown ? <option value="">{words.workspaceUnknown}</option> : null}
      {all.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
