// All templates of this server, public ones included, with what each needs here and what it costs. The list comes whole and is
// searched here; pictures and prices come for the cards that are looked at.
import type { Template } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { SearchX, Workflow } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from "react";
import { templatePage as words } from "#strings/templates/page";
import { asFault } from "../../api/fault.ts";
import { accountModelsQuery } from "../../api/models.ts";
import { galleryTemplates } from "../../api/templates/gallery.ts";
import {
  allTemplatesQuery,
  loadOperatorTemplate,
  operatorPicture,
  templateEstimateQuery,
} from "../../api/templates/operator-templates.ts";
import { formatCreditRange } from "../../ui/amounts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { GalleryCard } from "../../ui/template-card/gallery-card.tsx";
import cards from "../../ui/template-card/template-card.module.css";
import { TemplateCard, useSubmit } from "../../ui/template-card/template-card.tsx";
import { useObjectUrl } from "../../ui/thumb.tsx";
import { TemplateFilterBar } from "./template-filter-bar.tsx";
import { matchesTemplate, stateOf, stateWords, type TemplateFilters } from "./template-state.ts";
import styles from "./templates.module.css";

const shownFirst = 48;

export function TemplatesPage(): ReactNode {
  const templates = useQuery(allTemplatesQuery);
  // Whether a card can be run here.
  const models = useQuery(accountModelsQuery);
  const isFiltered = Object.values(useSearch({ from: "/console/templates" })).some((value) => value !== undefined);
  const isEmpty = templates.data?.data.length === 0;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      {templates.error ? <FaultNote fault={templates.error} retry={() => void templates.refetch()} /> : null}
      {models.error && models.data === undefined ? (
        <FaultNote fault={models.error} retry={() => void models.refetch()} />
      ) : null}
      {templates.isPending && !templates.error ? <Skeleton height="19rem" count={2} /> : null}
      {templates.data && !isEmpty ? <Wall templates={templates.data.data} /> : null}
      {templates.isPending || (isFiltered && !isEmpty) ? null : <Gallery />}
      {isEmpty ? <MoreTemplates /> : null}
    </>
  );
}

// What every server has.
function Gallery(): ReactNode {
  return (
    <section className={styles.gallery} aria-labelledby="gallery">
      <h2 id="gallery">{words.gallery}</h2>
      <ul className={cards.cards}>
        {galleryTemplates.map((template) => (
          <GalleryCard key={template.name} template={template} />
        ))}
      </ul>
    </section>
  );
}

function MoreTemplates(): ReactNode {
  return (
    <section className={styles.more} aria-labelledby="more-templates">
      <h2 id="more-templates">{words.more.title}</h2>
      <p>{words.more.text}</p>
      <CodeBlock code="./atelier templates install" />
    </section>
  );
}

function Wall({ templates }: { readonly templates: readonly Template[] }): ReactNode {
  const filters: TemplateFilters = useSearch({ from: "/console/templates" });
  const navigate = useNavigate({ from: "/console/templates" });
  const sought = useDeferredValue(filters);
  const [shown, setShown] = useState(shownFirst);
  const found = templates.filter((template) => matchesTemplate(template, sought)).toSorted(runnableFirst);
  return (
    <>
      <TemplateFilterBar
        templates={templates}
        filters={filters}
        set={(next) =>
          void navigate({
            search: (now) => ({ ...now, ...next }) as TemplateFilters,
            replace: true,
            resetScroll: false,
          })
        }
      />
      <h2 className="visually-hidden">{words.found}</h2>
      <p className="visually-hidden" role="status">
        {words.count(found.length)}
      </p>
      {found.length === 0 ? (
        <Empty icon={SearchX} title={words.noMatch}>
          <Button small onClick={() => void navigate({ search: {} })}>
            {words.clear}
          </Button>
        </Empty>
      ) : null}
      <ul className={cards.cards} aria-label={words.title}>
        {found.slice(0, shown).map((template) => (
          <OneTemplate key={template.name} template={template} />
        ))}
      </ul>
      {found.length > shown ? (
        <Button onClick={() => setShown((now) => now + shownFirst)}>
          {words.showMore(Math.min(shownFirst, found.length - shown))}
        </Button>
      ) : null}
    </>
  );
}

const order = { runs: 0, key: 2, more: 4 } as const;
const rank = (template: Template): number => order[stateOf(template)] + (template.files.length > 0 ? 1 : 0);
// What can be run with one click comes first.
const runnableFirst = (one: Template, other: Template): number => rank(one) - rank(other);

function OneTemplate({ template }: { readonly template: Template }): ReactNode {
  const { name, title, description, has_picture: hasPicture, runs_here: runs, files } = template;
  const { box, isSeen } = useSeen();
  const estimate = useQuery({ ...templateEstimateQuery(name), enabled: isSeen && runs });
  const url = useObjectUrl(isSeen && hasPicture ? operatorPicture(name) : null);
  const run = useSubmit(title, () => loadOperatorTemplate(name));
  const refusal = estimate.error ? asFault(estimate.error) : null;
  const isShown = url !== null && url !== "gone";
  return (
    <TemplateCard
      title={title}
      about={description ?? undefined}
      picture={isShown ? <img src={url} alt="" /> : <Workflow aria-hidden="true" />}
      isBusy={run.isPending}
      // With files to choose or something missing, the graph is the next step.
      {...(runs && files.length === 0 && refusal === null ? { onRun: () => run.mutate() } : {})}
      open={{ to: "/console/workflows", search: { template: name } }}
      state={
        <span ref={box} className={styles.state} data-state={refusal ? "refused" : stateOf(template)}>
          <span title={refusal?.message}>{refusal ? words.card.refused : stateWords(template)}</span>
          {estimate.data ? (
            <span className={styles.cost}>
              {formatCreditRange(estimate.data.credits.lowest, estimate.data.credits.highest)}
            </span>
          ) : null}
        </span>
      }
    />
  );
}

// Whether it was near the window once.
function useSeen() {
  const box = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: "400px" },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { box, isSeen };
}
