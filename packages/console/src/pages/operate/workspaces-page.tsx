import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronRight, Plus, ServerCog } from "lucide-react";
import { type ReactNode, useState } from "react";
import { workspaces as words } from "#strings/workspaces";
import { workspacesQuery } from "../../api/admin.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { NewWorkspace } from "./new-workspace.tsx";
import { OneWorkspace } from "./one-workspace.tsx";
import styles from "./operate.module.css";
import { ForOperators, useOperating } from "./operator.tsx";
import { Pager } from "./pager.tsx";

const route = getRouteApi("/console/workspaces");

export function WorkspacesPage(): ReactNode {
  const { workspace } = route.useSearch();
  const { why } = useOperating();
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Button look="primary" does={operations.createWorkspaceAsAdmin} why={why} onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          {words.create.title}
        </Button>
      </PageHead>
      <ForOperators>{workspace === undefined ? <List /> : <OneWorkspace id={workspace} />}</ForOperators>
      <NewWorkspace isOpen={isMaking} onClose={() => setMaking(false)} />
    </>
  );
}

function List(): ReactNode {
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({ ...workspacesQuery(cursor), placeholderData: keepPreviousData });
  if (data === undefined) return <Pending fault={error} retry={refetch} height="22rem" />;
  return (
    <Panel flush>
      {data.data.length === 0 ? (
        <Empty icon={ServerCog} title={words.none}>
          <p>{words.noneText}</p>
        </Empty>
      ) : (
        <ul>
          {data.data.map(({ id, name, created_at }) => (
            <li key={id} className={styles.item} data-workspace={id}>
              <div className={styles.who}>
                <h2>{name}</h2>
                <span className={kit.soft}>
                  <CopyId id={id} /> <Rich text={words.createdAt} when={<Ago at={created_at} />} />
                </span>
              </div>
              <Button small aria-label={words.openOf(name)} onClick={() => navigate({ search: { workspace: id } })}>
                {words.open}
                <ChevronRight aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Pager
        isFirst={cursor === undefined}
        next={data.next_cursor}
        onTurn={(next) => navigate({ search: next === undefined ? {} : { cursor: next } })}
      />
    </Panel>
  );
}
