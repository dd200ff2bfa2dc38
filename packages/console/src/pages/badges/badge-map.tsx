// The map that clients of one version and platform get, with its ETag.

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { BadgeDollarSign } from "lucide-react";
import type { ReactNode } from "react";
import { badges } from "#strings/badges";
import { LinkButton } from "../../ui/button.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { useTypedText } from "../../ui/filter-bar/use-typed-text.ts";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { useBase } from "../../ui/snippets/use-base.ts";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { BadgePill } from "./badge-look.tsx";
import { type Badge, latest, mapQuery } from "./badge-queries.ts";
import styles from "./badges.module.css";
import type { BadgesSearch } from "./badges-search.ts";
import { mapCurl } from "./snippets.ts";
import { useOutcomes } from "./use-outcomes.ts";

const words = badges.map;

const platforms = [
  { value: "cloud", label: badges.platforms.cloud },
  { value: "local", label: badges.platforms.local },
];

export function BadgeMapView(): ReactNode {
  const search = useSearch({ from: "/console/badges" });
  const navigate = useNavigate();
  const { version = latest, platform = "cloud", q = "" } = search;
  const change = (more: Partial<BadgesSearch>) =>
    navigate({ to: "/console/badges", search: { ...search, ...more }, replace: true });
  const { data, error, isPending, refetch } = useQuery(mapQuery(version, platform));
  const all = Object.entries(data?.badges ?? {});
  const shown = all.filter(([id]) => id.toLowerCase().includes(q.toLowerCase()));
  return (
    <Stack>
      <Panel>
        <div className={styles.filters}>
          <Typed
            label={words.version}
            hint={badges.versionHint}
            value={version}
            onRest={(text) => change({ version: text || latest })}
          />
          <SelectField
            label={words.platform}
            choices={platforms}
            value={platform}
            onChange={(event) => navigate({ to: "/console/badges", search: platformed(search, event.target.value) })}
          />
          <Typed
            label={badges.node}
            placeholder={words.nodePlaceholder}
            value={q}
            onRest={(text) => change({ q: text })}
          />
        </div>
      </Panel>
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="2.8rem" count={5} /> : null}
      {data ? (
        <Panel
          flush
          title={q === "" ? words.count(all.length) : words.found(shown.length, words.count(all.length))}
          actions={
            <span className={kit.copyable}>
              <span className={kit.soft}>{words.etag}</span> <CopyId id={data.etag} short={false} />
            </span>
          }
        >
          {shown.length === 0 ? (
            <Empty
              icon={BadgeDollarSign}
              title={all.length === 0 ? words.none : words.noneFound}
              actions={
                <LinkButton to="/console/badges" search={{ tab: "preview" }}>
                  {words.openPreviewer}
                </LinkButton>
              }
            >
              {words.noneText}
            </Empty>
          ) : (
            <MapTable of={shown} />
          )}
        </Panel>
      ) : null}
      {data ? <HowToAsk version={version} platform={platform} /> : null}
    </Stack>
  );
}

function platformed({ platform: _, ...rest }: BadgesSearch, chosen: string): BadgesSearch {
  return chosen === "local" ? { ...rest, platform: "local" } : rest;
}

const shownMax = 200;
const noState = {};

function MapTable({ of }: { readonly of: readonly (readonly [string, Badge])[] }): ReactNode {
  const rows = of.slice(0, shownMax);
  const outcomes = useOutcomes(rows.map(([, badge]) => ({ badge, state: noState })));
  return (
    <>
      <Table
        label={words.table}
        rows={rows.map(([id, badge], at) => ({ id, badge, outcome: outcomes[at] ?? null }))}
        keyOf={({ id }) => id}
        columns={[
          { name: "id", head: words.columns.node, cell: ({ id }) => <code>{id}</code> },
          { name: "label", head: words.columns.label, cell: ({ outcome }) => <BadgePill outcome={outcome} /> },
          {
            name: "reads",
            head: words.columns.reads,
            cell: ({ badge }) => <span className={kit.soft}>{readsOf(badge)}</span>,
          },
          {
            name: "act",
            head: <span className="visually-hidden">{badges.actions}</span>,
            align: "end",
            cell: ({ id }) => (
              <LinkButton
                small
                to="/console/badges"
                search={{ tab: "preview", node: id }}
                aria-label={badges.previewOf(id)}
              >
                {badges.preview}
              </LinkButton>
            ),
          },
        ]}
      />
      {of.length > shownMax ? <p className={styles.more}>{words.firstShown(shownMax)}</p> : null}
    </>
  );
}

function readsOf({ depends_on: { widgets, inputs, input_groups } }: Badge): string {
  return [...widgets.map(({ name }) => name), ...inputs, ...input_groups].join(", ") || words.readsNothing;
}

export function Typed(props: {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onRest: (text: string) => void;
}): ReactNode {
  const typed = useTypedText(props.value, props.onRest);
  return (
    <TextField label={props.label} hint={props.hint} placeholder={props.placeholder} spellCheck={false} {...typed} />
  );
}

function HowToAsk(props: { readonly version: string; readonly platform: string }): ReactNode {
  const base = useBase();
  const query = new URLSearchParams({ app_version: props.version, platform: props.platform });
  return (
    <Panel title={words.fetch}>
      <Stack>
        <p className={kit.soft}>{words.fetchText}</p>
        <CodeBlock label={words.fetchCode} wrap code={mapCurl(base, query)} />
      </Stack>
    </Panel>
  );
}
