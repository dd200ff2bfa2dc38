// Classes and weights a graph uses and this server lacks: by name, each with a way forward.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PackageX, RefreshCw, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { workflows } from "#strings/workflows";
import { accountQuery } from "../../api/account.ts";
import { classNamesQuery } from "../../api/classes.ts";
import { configQuery } from "../../api/config.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import type { LackingWeights } from "./lacking.ts";
import { nearestTo } from "./nearest.ts";
import styles from "./workflows.module.css";

const words = workflows.missing;

export function MissingClasses(props: {
  readonly missing: readonly string[];
  readonly weights: readonly LackingWeights[];
  readonly problems: readonly string[];
  readonly isBusy: boolean;
  readonly onCheck: () => void;
}): ReactNode {
  const { missing, weights } = props;
  const { data: config } = useQuery(configQuery);
  const { data: names = [] } = useQuery({ ...classNamesQuery, enabled: missing.length > 0 });
  const isCloud = config?.surface === "cloud";
  return (
    <Panel
      title={titleOf(props)}
      actions={
        <Button small disabled={props.isBusy} onClick={props.onCheck}>
          <RefreshCw aria-hidden="true" />
          {words.check}
        </Button>
      }
    >
      <Stack>
        <p className={kit.soft}>{words.text}</p>
        {missing.length > 0 ? (
          <ul className={styles.missing} aria-label={words.list}>
            {missing.map((name) => (
              <li key={name}>
                <Unplug aria-hidden="true" />
                <code>{name}</code>
                <Nearest to={name} names={names} />
                {isCloud ? (
                  <Link to="/console/nodes" search={{ q: name }}>
                    {words.registry}
                  </Link>
                ) : null}
              </li>
            ))}
          </ul>
        ) : null}
        {weights.length > 0 ? (
          <ul className={styles.missing} aria-label={words.weights}>
            {weights.map(({ name, nodeId, classType }) => (
              <li key={`${nodeId} ${name}`}>
                <PackageX aria-hidden="true" />
                <code>{name}</code>
                <span className={kit.soft}>{words.weightsFor(classType)}</span>
              </li>
            ))}
          </ul>
        ) : null}
        {missing.length + weights.length === 0 ? (
          <ul className={styles.problems}>
            {props.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        ) : isCloud ? (
          <WorkerWay />
        ) : (
          <p className={kit.soft}>{words.install}</p>
        )}
      </Stack>
    </Panel>
  );
}

function titleOf({ missing, weights }: Parameters<typeof MissingClasses>[0]): string {
  if (missing.length > 0) return words.title(missing.length);
  return weights.length > 0 ? words.weightsTitle(weights.length) : words.problems;
}

function Nearest({ to, names }: { readonly to: string; readonly names: readonly string[] }): ReactNode {
  const near = nearestTo(to, names);
  if (near.length === 0) return null;
  return (
    <span className={kit.soft}>
      <Rich
        text={words.similar}
        names={near.map((name, at) => (
          <span key={name}>
            {at === 0 ? "" : ", "}
            <Link to="/console/classes" search={{ class: name } as never}>
              {name}
            </Link>
          </span>
        ))}
      />
    </span>
  );
}

// Classes that need weights run in an application, which a worker connects.
function WorkerWay(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const { data: config } = useQuery(configQuery);
  const base = (config?.base_url ?? location.origin).replace(/\/$/, "");
  if (account?.is_operator !== true) return <p className={kit.soft}>{words.askOperator}</p>;
  return (
    <>
      <p className={kit.soft}>
        <Rich text={words.connect} token={<Link to="/console/workers">{words.token}</Link>} />
      </p>
      <CodeBlock
        wrap
        label={words.start}
        code={`ATELIER_WORKER_TOKEN=… atelier worker \\\n  --server ${base} --application http://127.0.0.1:8188`}
      />
    </>
  );
}
