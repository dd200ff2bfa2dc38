// The versions of a work: what is new in each, which one is current, and what differs.
import type { WorkVersion } from "@atelier/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { GitCompareArrows } from "lucide-react";
import type { ReactNode } from "react";
import { works } from "#strings/works/pages";
import { operations } from "../../api/operations.ts";
import { changeWork, type ReadWork, workDiffQuery, worksKey, workVersionsQuery } from "../../api/works/works.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/calls/more.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { GraphChanges } from "../../ui/changes/node-changes.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Pending, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./works.module.css";

const words = works.versions;
const route = getRouteApi("/console/works/$name");

export function VersionsTab({ read }: { readonly read: ReadWork }): ReactNode {
  const { work } = read;
  const { compared } = route.useSearch();
  const to = Math.min(compared ?? work.versions, work.versions);
  return (
    <div className={styles.history}>
      <Versions read={read} shown={to} />
      <Panel title={words.difference} className={styles.difference}>
        {work.versions === 1 ? (
          <p className={kit.soft}>{words.onlyOne}</p>
        ) : (
          <Difference name={work.name} from={to - 1} to={to} />
        )}
      </Panel>
    </div>
  );
}

function Versions({ read, shown }: { readonly read: ReadWork; readonly shown: number }): ReactNode {
  const { work } = read;
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(workVersionsQuery(work.name));
  const choose = useChange({
    change: (version: number) => changeWork(read, { version }),
    staleAnyway: [worksKey],
    said: (_, version) => words.made(version),
    failed: words.notMade,
  });
  const versions = list.data?.pages.flatMap(({ data }) => data);
  return (
    <Panel title={words.title} flush>
      {versions === undefined ? (
        <Pending fault={list.error} retry={list.refetch} height="4rem" count={3} />
      ) : (
        <ol>
          {versions.map((version) => (
            <VersionRow
              key={version.version}
              version={version}
              isCurrent={version.version === work.version}
              isLatest={version.version === work.versions}
              isShown={version.version === shown && work.versions > 1}
              isBusy={choose.isPending}
              onChanges={() =>
                void navigate({
                  search: (now) => ({ ...now, compared: version.version }),
                  replace: true,
                  resetScroll: false,
                })
              }
              onCurrent={() => choose.mutate(version.version)}
            />
          ))}
        </ol>
      )}
      <More of={list} className={styles.more}>
        {words.more}
      </More>
    </Panel>
  );
}

function VersionRow(props: {
  readonly version: WorkVersion;
  readonly isCurrent: boolean;
  readonly isLatest: boolean;
  readonly isShown: boolean;
  readonly isBusy: boolean;
  readonly onChanges: () => void;
  readonly onCurrent: () => void;
}): ReactNode {
  const { version, note, created_at, created_by } = props.version;
  return (
    <li className={styles.version} data-version={version} data-shown={props.isShown}>
      <div>
        <strong>{works.version(version)}</strong>{" "}
        {props.isCurrent ? (
          <Chip tone="accent">{words.current}</Chip>
        ) : props.isLatest ? (
          <Chip>{words.latest}</Chip>
        ) : null}
        <div className={kit.soft}>
          <Rich text={words.by} name={nameOf(created_by)} ago={<Ago at={created_at} />} />
        </div>
        {note === null ? null : <p className={styles.note}>{note}</p>}
      </div>
      <div className={kit.actions}>
        {version === 1 ? null : (
          <Button small look="quiet" aria-pressed={props.isShown} onClick={props.onChanges}>
            <GitCompareArrows aria-hidden="true" />
            {words.changes}
          </Button>
        )}
        {props.isCurrent ? null : (
          <Button does={operations.changeWork} small disabled={props.isBusy} onClick={props.onCurrent}>
            {words.makeCurrent}
          </Button>
        )}
      </div>
    </li>
  );
}

function nameOf(by: WorkVersion["created_by"]): string {
  if (!by?.name) return words.nobody;
  return by.kind === "key" ? words.byKey(by.name) : by.name;
}

function Difference(props: { readonly name: string; readonly from: number; readonly to: number }): ReactNode {
  const { data, error, refetch } = useQuery(workDiffQuery(props.name, props.from, props.to));
  if (error) return <FaultNote fault={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height="3rem" count={3} />;
  return (
    <Stack>
      <p className={kit.soft}>{words.between(data.from, data.to)}</p>
      {data.is_same ? <p>{words.same}</p> : null}
      {data.form.length === 0 ? null : (
        <section className={styles.sentences}>
          <Heading>{words.form}</Heading>
          <ul>
            {data.form.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      {data.changes.length === 0 ? null : <GraphChanges of={data.changes} />}
    </Stack>
  );
}
