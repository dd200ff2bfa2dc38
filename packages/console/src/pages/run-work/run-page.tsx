// A work's own page, for people who never see a graph: what it makes, large; what one can change; and one button. Members use their
// session. With a link it uses the key in the link, and needs no account.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { shared } from "#strings/shared";
import { runWork as words } from "#strings/works/run";
import { asFault } from "../../api/fault.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { documentQuery, type ModelDocument, modelQuery } from "../../api/models.ts";
import { linkKeyFor } from "../../api/works/link-key.ts";
import { Button } from "../../ui/button.tsx";
import { SentFiles } from "../../ui/schema-form/file-field.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { faultWords, mayPass } from "./fault-words.ts";
import { FormCard } from "./form-card.tsx";
import { PageFrame } from "./page-frame.tsx";
import styles from "./run-work.module.css";
import { Stage } from "./stage.tsx";
import { ExampleStrip, MadeStrip, type WorkExample } from "./strips.tsx";
import { useWorkRun } from "./use-work-run.ts";

const route = getRouteApi("/w/$provider/$name");

// A visitor cannot know what a busy server is.
const retry = (failures: number, thrown: unknown): boolean => failures < 3 && mayPass(asFault(thrown));

export function RunPage(): ReactNode {
  const { provider, name } = route.useParams();
  const id = `${provider}/${name}`;
  const [isLink] = useState(() => linkKeyFor(location.pathname) !== null);
  const document = useQuery({ ...documentQuery(id), retry });
  const detail = useQuery({ ...modelQuery(id), retry });
  if (document.error) {
    const fault = asFault(document.error);
    const { title, text } = faultWords(fault, isLink);
    const again = <Button onClick={() => void document.refetch()}>{shared.tryAgain}</Button>;
    return (
      <PageFrame title={title}>
        <Empty title={title} level={1} actions={mayPass(fault) ? again : null}>
          <p>{text}</p>
        </Empty>
      </PageFrame>
    );
  }
  if (document.data === undefined || detail.isPending)
    return (
      <PageFrame title={words.loading}>
        <h1 className="visually-hidden">{words.loading}</h1>
        <Skeleton height="3rem" width="18rem" />
        <Skeleton height="26rem" />
      </PageFrame>
    );
  return (
    <SentFiles value={isLink}>
      <Work
        key={id}
        {...{ id, isLink }}
        document={document.data}
        title={detail.data?.title ?? name}
        description={detail.data?.description ?? ""}
        examples={detail.data?.examples ?? []}
      />
    </SentFiles>
  );
}

function Work(props: {
  readonly id: string;
  readonly isLink: boolean;
  readonly document: ModelDocument;
  readonly title: string;
  readonly description: string;
  readonly examples: readonly WorkExample[];
}): ReactNode {
  const { id, document, title, description, examples } = props;
  const [input, setInput] = useState<Input>({});
  const run = useWorkRun(id, props.isLink);
  const tryExample = (example: WorkExample, position: number) => {
    setInput(example.inputs);
    const media = example.urls.map((url) => ({ url, kind: "image" as const, name: `example-${position}` }));
    run.show({ id: `example ${position}`, inputs: example.inputs, media, isExample: true });
    scrollTo({ top: 0, behavior: "smooth" });
  };
  return (
    <PageFrame title={title}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {description === "" ? null : <p>{description}</p>}
      </header>
      <div className={styles.work}>
        <Stage title={title} cover={examples[0]?.urls[0] ?? null} isLink={props.isLink} run={run} onInputs={setInput} />
        <FormCard model={id} document={document} input={input} onInput={setInput} run={run} />
        <div className={styles.strips}>
          <MadeStrip made={run.made} shown={run.shown} isLink={props.isLink} onShow={run.show} />
          <ExampleStrip examples={examples} onTry={tryExample} />
        </div>
      </div>
    </PageFrame>
  );
}
