import type { CatalogEntry } from "@atelier/sdk";
import { Link } from "@tanstack/react-router";
import { AudioLines, Box, Clapperboard, Image, type LucideIcon, Type } from "lucide-react";
import type { ReactNode } from "react";
import { models as words } from "#strings/models";
import type { ModelDocument, ModelKind, ModelStats } from "../../api/models.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { formatDuration, formatPercent } from "../../ui/figures.tsx";
import { isPermissive } from "../../ui/schema-form/json-schema.ts";
import styles from "./models.module.css";
import { refusalWords } from "./refusal-words.ts";

export const kindLooks: Readonly<Record<ModelKind, { readonly word: string; readonly icon: LucideIcon }>> = {
  image: { word: words.kinds.image, icon: Image },
  video: { word: words.kinds.video, icon: Clapperboard },
  audio: { word: words.kinds.audio, icon: AudioLines },
  text: { word: words.kinds.text, icon: Type },
  other: { word: words.kinds.other, icon: Box },
};

export function ModelCard(props: {
  readonly model: CatalogEntry;
  readonly document: ModelDocument | undefined;
  readonly stats: ModelStats | undefined;
}): ReactNode {
  const { model, document, stats } = props;
  const { icon: Icon, word } = kindLooks[document?.kind ?? "other"];
  return (
    <article className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.kind} title={word}>
          <Icon aria-hidden="true" />
        </span>
        <h2>
          <Link
            to="/console/models/$provider/$model"
            params={{ provider: model.provider, model: model.model }}
            className={styles.cardLink}
          >
            {titleOf(model, document)}
          </Link>
        </h2>
        <span className={styles.cardId}>
          <code>{model.id}</code>
          <CopyButton text={model.id} label={words.card.copy(model.id)} />
        </span>
      </div>
      <p className={styles.summary}>{document?.summary ?? " "}</p>
      <div className={styles.cardFoot}>
        <BillingChip says={model.billing.charges_on_policy_rejection} />
        {document && isPermissive(document.input) ? (
          <Chip title={words.card.anyJsonHint}>{words.card.anyJson}</Chip>
        ) : null}
        <Health stats={stats} />
      </div>
    </article>
  );
}

// The document of a work has its id as title, which the card shows anyway.
const titleOf = ({ id, model }: CatalogEntry, document: ModelDocument | undefined): string =>
  document === undefined || document.title === id ? model : document.title;

export function BillingChip({ says }: { readonly says: string }): ReactNode {
  const { chip, text } = refusalWords(says);
  return (
    <Chip tone={says === "yes" ? "warn" : "plain"} title={text}>
      {chip}
    </Chip>
  );
}

function Health({ stats }: { readonly stats: ModelStats | undefined }): ReactNode {
  if (stats === undefined || stats.calls === 0) return <span className={styles.quiet}>{words.card.noCalls}</span>;
  return (
    <span className={styles.health} title={words.card.calls(stats.calls)}>
      <span data-tone={toneOf(stats.success_rate)}>{formatPercent(stats.success_rate)}</span>
      <span>{words.card.p95(formatDuration(stats.p95_ms))}</span>
    </span>
  );
}

export const toneOf = (rate: number | null): "ok" | "warn" | "bad" =>
  rate === null || rate >= 0.99 ? "ok" : rate >= 0.9 ? "warn" : "bad";
