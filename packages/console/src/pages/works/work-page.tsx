// One work: how to use it, its versions, and the links that people without an account use.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronLeft, ExternalLink, Hourglass, Play } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { works } from "#strings/works/pages";
import { operations } from "../../api/operations.ts";
import { changeWork, type ReadWork, workQuery, worksKey } from "../../api/works/works.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { CopyId } from "../../ui/copy.tsx";
import { Ago } from "../../ui/figures.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { Pending, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { UseTab } from "./use-tab.tsx";
import { WorkActions } from "./work-actions.tsx";
import { WorkChips } from "./work-chips.tsx";
import styles from "./works.module.css";

const VersionsTab = lazy(() => import("./versions-tab.tsx").then((each) => ({ default: each.VersionsTab })));
const LinksTab = lazy(() => import("./links-tab.tsx").then((each) => ({ default: each.LinksTab })));

const words = works.page;
const route = getRouteApi("/console/works/$name");

export function WorkPage(): ReactNode {
  const { name } = route.useParams();
  const { data, error, refetch } = useQuery(workQuery(name));
  if (data !== undefined) return <Loaded key={name} read={data} />;
  return (
    <>
      <PageHead title={words.title} />
      <Pending
        fault={error}
        gone={words.gone}
        retry={refetch}
        ways={
          <LinkButton small to="/console/works">
            {words.all}
          </LinkButton>
        }
        height="8rem"
        count={3}
      />
    </>
  );
}

function Loaded({ read }: { readonly read: ReadWork }): ReactNode {
  const { work } = read;
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <Head read={read} />
      <Deprecated read={read} />
      <Tabs
        label={work.title ?? work.name}
        tabs={[
          { name: "use", label: words.tabs.use },
          { name: "versions", label: words.tabs.versions },
          { name: "links", label: words.tabs.links },
        ]}
        chosen={tab ?? "use"}
        onChoose={(next) => void navigate({ search: next === "use" ? {} : { tab: next }, replace: true })}
      >
        <div className={styles.tab}>
          <Suspense fallback={<Skeleton height="8rem" count={2} />}>
            {tab === "versions" ? <VersionsTab read={read} /> : null}
            {tab === "links" ? <LinksTab work={work} /> : null}
            {tab === undefined ? <UseTab work={work} /> : null}
          </Suspense>
        </div>
      </Tabs>
    </>
  );
}

function Head({ read }: { readonly read: ReadWork }): ReactNode {
  const { work } = read;
  const [provider = "", name = ""] = work.id.split("/");
  return (
    <>
      <Link to="/console/works" className={styles.back}>
        <ChevronLeft aria-hidden="true" />
        {words.all}
      </Link>
      <PageHead
        title={work.title ?? work.name}
        lead={
          <>
            {work.description === null ? null : <p>{work.description}</p>}
            <span className={styles.facts}>
              <CopyId id={work.id} short={false} />
              <WorkChips work={work} />
              <span>
                <Rich text={words.published} ago={<Ago at={work.updated_at} />} />
              </span>
            </span>
          </>
        }
      >
        <LinkButton look="primary" to="/console/models/$provider/$model" params={{ provider, model: name }}>
          <Play aria-hidden="true" />
          {words.playground}
        </LinkButton>
        <LinkButton to="/w/$provider/$name" params={{ provider, name }} target="_blank">
          <ExternalLink aria-hidden="true" />
          {words.open}
        </LinkButton>
        <WorkActions read={read} />
      </PageHead>
    </>
  );
}

function Deprecated({ read }: { readonly read: ReadWork }): ReactNode {
  const { deprecated_at, sunset_at } = read.work;
  const restore = useChange({
    change: () => changeWork(read, { deprecated_at: null, sunset_at: null }),
    staleAnyway: [worksKey],
    said: () => works.actions.restored,
    failed: works.actions.notRestored,
  });
  if (deprecated_at === null) return null;
  return (
    <div className={styles.notice}>
      <Hourglass aria-hidden="true" />
      <p>
        <strong>
          <Rich text={words.deprecated} since={dayOf(deprecated_at)} />
        </strong>
        <br />
        {sunset_at === null ? words.noSunset : <Rich text={words.sunset} end={dayOf(sunset_at)} />}
      </p>
      <Button does={operations.changeWork} disabled={restore.isPending} onClick={() => restore.mutate()}>
        {words.restore}
      </Button>
    </div>
  );
}

const dayOf = (at: string): string => new Date(at).toLocaleDateString(undefined, { dateStyle: "long" });
