// A wall of things to start from: works that the workspace can call, the operator's templates, and the graphs of the gallery.
import type { CallableWork } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Workflow } from "lucide-react";
import { type ReactNode, useState } from "react";
import { overview } from "#strings/overview";
import { atelier } from "../../api/atelier.ts";
import { callableWorksQuery, modelQuery } from "../../api/models.ts";
import { queries } from "../../api/queries.ts";
import { galleryTemplates } from "../../api/templates/gallery.ts";
import {
  loadOperatorTemplate,
  operatorPicture,
  operatorTemplatesQuery,
} from "../../api/templates/operator-templates.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { GalleryCard } from "../../ui/template-card/gallery-card.tsx";
import cardStyles from "../../ui/template-card/template-card.module.css";
import { TemplateCard as Card, useSubmit } from "../../ui/template-card/template-card.tsx";
import { useObjectUrl } from "../../ui/thumb.tsx";
import { WorkPicture } from "../../ui/work-form/work-picture.tsx";
import styles from "./wall.module.css";

const words = overview.templates;
const worksShown = 8;
const galleryShownFirst = 4;

export function TemplateWall({ isWhole }: { readonly isWhole: boolean }): ReactNode {
  const works = useQuery(callableWorksQuery({ limit: worksShown }));
  const offered = useQuery(operatorTemplatesQuery);
  const [isAll, setAll] = useState(isWhole);
  const own = works.data?.data ?? [];
  const given = offered.data?.data ?? [];
  const shown = isAll ? galleryTemplates : galleryTemplates.slice(0, galleryShownFirst);
  const groups = [
    own.length === 0 ? null : { name: words.works, cards: own.map((work) => <WorkCard key={work.id} work={work} />) },
    given.length === 0
      ? null
      : { name: words.operator, cards: given.map((each) => <OperatorCard key={each.name} {...each} />) },
    { name: words.gallery, cards: shown.map((each) => <GalleryCard key={each.name} template={each} />) },
  ].filter((group) => group !== null);
  return (
    <section className={styles.wall} aria-labelledby="templates">
      <div className={styles.head}>
        <div>
          <h2 id="templates">{words.title}</h2>
          <p>{words.lead}</p>
        </div>
        {isAll ? null : (
          <Button small onClick={() => setAll(true)}>
            {words.all(galleryTemplates.length)}
          </Button>
        )}
        <LinkButton small to="/console/templates">
          {words.more}
        </LinkButton>
      </div>
      {groups.map(({ name, cards }) => (
        <div key={name} className={styles.group}>
          {groups.length > 1 ? <p>{name}</p> : null}
          <ul className={cardStyles.cards} aria-label={name}>
            {cards}
          </ul>
        </div>
      ))}
    </section>
  );
}

function OperatorCard(props: {
  readonly name: string;
  readonly title: string;
  readonly has_picture: boolean;
}): ReactNode {
  const { name, title } = props;
  const run = useSubmit(title, () => loadOperatorTemplate(name));
  const url = useObjectUrl(props.has_picture ? operatorPicture(name) : null);
  const isShown = url !== null && url !== "gone";
  return (
    <Card
      title={title}
      picture={isShown ? <img src={url} alt="" /> : <Workflow aria-hidden="true" />}
      isBusy={run.isPending}
      onRun={() => run.mutate()}
      open={{ to: "/console/workflows", search: { template: name } }}
    />
  );
}

function WorkCard({ work }: { readonly work: CallableWork }): ReactNode {
  const { id, provider, model, description } = work;
  const title = work.title ?? model;
  const navigate = useNavigate();
  const run = useChange({
    // With the inputs of its first example, which ran when it was published.
    change: async () => {
      const { examples } = await queries.fetchQuery(modelQuery(id));
      return atelier.models.submit(id, examples?.[0]?.inputs ?? {});
    },
    after: (request) =>
      void navigate({
        to: "/console/models/$provider/$model",
        params: { provider, model },
        search: { how: "queued", request: request.id },
      }),
    failed: words.notRun(title),
  });
  return (
    <Card
      title={title}
      about={description ?? undefined}
      picture={<WorkPicture assetId={work.cover} />}
      isBusy={run.isPending}
      onRun={() => run.mutate()}
      open={{ to: "/w/$provider/$name", params: { provider, name: model } }}
    />
  );
}
