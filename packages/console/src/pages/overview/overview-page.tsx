// The first page: a box to type into, templates to start from, and below them what has run, once something has.

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { type ReactNode, useMemo, useRef } from "react";
import { overview as words } from "#strings/overview";
import { configQuery } from "../../api/config.ts";
import { asFault } from "../../api/fault.ts";
import { accountModelsQuery } from "../../api/models.ts";
import { useOwner } from "../../api/owner.ts";
import { seriesQuery, usageQuery } from "../../api/usage.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Chart } from "../../ui/chart/chart.tsx";
import { type ChartColour, failureColourAt, usageChart } from "../../ui/chart/chart-data.ts";
import { useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { outcomeOf } from "../../ui/outcome.tsx";
import { PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { rangeOf, rereadMs, zoomed } from "../../ui/range/range.ts";
import { RangeChoice } from "../../ui/range/range-choice.tsx";
import { Empty, FaultNote, Pending, Skeleton } from "../../ui/states.tsx";
import { ByHand } from "./by-hand.tsx";
import { ComingFigures, Figures } from "./figures.tsx";
import { JobsNow, NewestPictures, newestPicturesQuery } from "./now.tsx";
import styles from "./overview.module.css";
import prompt from "./prompt.module.css";
import { ComingBox, PromptBox } from "./prompt-box.tsx";
import { type PromptModel, promptModels } from "./prompt-models.ts";
import { TemplateWall } from "./template-wall.tsx";

const route = getRouteApi("/");

export function OverviewPage(): ReactNode {
  const { data: config } = useQuery(configQuery);
  return config?.surface === "self_hosted" ? <BesideApplication /> : <WholeOverview />;
}

// On the self-hosted surface nothing is counted or sold.
function BesideApplication(): ReactNode {
  return (
    <>
      <PageHead title={words.title} lead={words.selfHostedLead} />
      <Stack>
        <JobsNow hasQueue={false} />
        <NewestPictures />
      </Stack>
    </>
  );
}

function WholeOverview(): ReactNode {
  const isNew = useIsNew();
  const models = useQuery(accountModelsQuery);
  const first = useMemo(() => promptModels(models.data?.data ?? []), [models.data]);
  return (
    <Stack>
      <div className={prompt.hero}>
        <h1>{words.hello}</h1>
        <Prompting models={models} offered={first} />
      </div>
      <TemplateWall key={String(isNew)} isWhole={isNew !== false} />
      {isNew === true ? <ByHand model={first[0]?.id ?? "sandbox/image-1"} /> : <Activity isKnown={isNew === false} />}
    </Stack>
  );
}

function Prompting(props: {
  readonly models: UseQueryResult<unknown>;
  readonly offered: readonly PromptModel[];
}): ReactNode {
  const { models, offered } = props;
  const owner = useOwner();
  if (models.isError) {
    const { code } = asFault(models.error);
    if (code === "not_enabled") return <p className={kit.soft}>{words.prompt.off}</p>;
    return <FaultNote fault={models.error} retry={() => models.refetch()} />;
  }
  if (models.isPending || owner === undefined) return <ComingBox />;
  if (offered.length > 0) return <PromptBox key={owner} models={offered} owner={owner} />;
  return (
    <Panel>
      <Empty
        icon={KeyRound}
        title={words.prompt.noModel}
        actions={<LinkButton to="/console/credentials">{words.prompt.addKey}</LinkButton>}
      >
        {words.prompt.noModelText}
      </Empty>
    </Panel>
  );
}

// What has run, once something has.
function Activity({ isKnown }: { readonly isKnown: boolean }): ReactNode {
  const search = route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <div className={styles.activity}>
        <h2>{words.activity}</h2>
        <RangeChoice search={search} otherwise="24h" onChoose={(next) => navigate({ to: "/", search: next })} />
      </div>
      {isKnown ? <Shown /> : <Coming />}
    </>
  );
}

// Null until it is known. A usage row or a picture means that something has run.
function useIsNew(): boolean | null {
  const rows = useQuery(usageQuery({ limit: 1 }));
  const pictures = useQuery(newestPicturesQuery);
  const isFailing = rows.isError || pictures.isError;
  const isKnown = rows.data !== undefined && pictures.data !== undefined;
  const now = isFailing ? false : isKnown ? rows.data.data.length === 0 && pictures.data.data.length === 0 : null;
  // A failed query is retried, and its answer is unknown meanwhile, so the page stays as it was.
  const last = useRef(now);
  if (now !== null) last.current = now;
  return last.current;
}

function Shown(): ReactNode {
  const search = route.useSearch();
  const now = useNow(30_000);
  const range = rangeOf(search, "24h", now);
  return (
    <Stack>
      <Figures range={range} />
      <Traffic range={range} />
      <div className={styles.below}>
        <JobsNow hasQueue />
        <NewestPictures />
      </div>
    </Stack>
  );
}

// In the shape of the final content: four figures, a chart, two panels.
function Coming(): ReactNode {
  return (
    <Stack>
      <ComingFigures />
      <Panel title={words.byOutcome}>
        <Skeleton height="16.15rem" />
      </Panel>
      <div className={styles.below}>
        {[words.jobs.title, words.images.title].map((name) => (
          <Panel key={name} title={name}>
            <Skeleton height="9rem" />
          </Panel>
        ))}
      </div>
    </Stack>
  );
}

function Traffic({ range }: { readonly range: ReturnType<typeof rangeOf> }): ReactNode {
  const navigate = useNavigate();
  const query = useQuery({
    ...seriesQuery({ from: range.from, to: range.to, by: "outcome" }),
    refetchInterval: rereadMs(range),
  });
  return (
    <Panel title={words.byOutcome}>
      {query.data ? (
        <Chart
          label={words.byOutcome}
          kind="bars"
          data={byOutcome(query.data)}
          unit="count"
          onZoom={(from, to) => navigate({ to: "/", search: zoomed(from, to) })}
          onPick={(at) => {
            const { stepMs } = usageChart(query.data, "calls");
            navigate({ to: "/console/requests", search: zoomed(at, at + stepMs) });
          }}
        />
      ) : (
        <Pending fault={query.error} retry={query.refetch} height="16.15rem" />
      )}
    </Panel>
  );
}

const fixed: Readonly<Record<string, ChartColour>> = {
  succeeded: "series-1",
  replayed: "series-7",
  other: "series-other",
};

// Successes at the bottom, failures stacked on top. A replay is not a call, so it is counted separately.
function byOutcome(series: Parameters<typeof usageChart>[0]) {
  const calls = usageChart(series, "calls", (key) => outcomeOf(key).words);
  const replays = usageChart(series, "replays");
  const lines = calls.lines
    .map((line) => {
      const values = line.key === "replayed" ? replays.lines.find(({ key }) => key === "replayed")?.values : null;
      return { ...line, values: values ?? line.values };
    })
    .sort((one, two) => rank(one.key) - rank(two.key));
  let failed = 0;
  return {
    ...calls,
    lines: lines.map((line) => ({
      ...line,
      colour: fixed[line.key] ?? failureColourAt(failed++),
    })),
  };
}

function rank(key: string): number {
  const at = ["succeeded", "replayed"].indexOf(key);
  return at < 0 ? 2 : at;
}
