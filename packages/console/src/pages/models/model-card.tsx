import type { CatalogEntry } from "@atelier/sdk";
import { Link } from "@tanstack/react-router";
import { AudioLines, Box, Clapperboard, Image, type LucideIcon, Type } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelDocument, ModelKind, ModelStats } from "../../api/models.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { percentOf, spanOf } from "../../ui/figures.tsx";
import { isPermissive } from "../../ui/schema-form/json-schema.ts";
import styles from "./models.module.css";

export const kindLooks: Readonly<Record<ModelKind, { readonly word: string; readonly icon: LucideIcon }>> = {
  image: { word: "Pictures", icon: Image },
  video: { word: "Film", icon: Clapperboard },
  audio: { word: "Sound", icon: AudioLines },
  text: { word: "Text", icon: Type },
  other: { word: "Other", icon: Box },
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
            {document?.title ?? model.model}
          </Link>
        </h2>
        <span className={styles.cardId}>
          <code>{model.id}</code>
          <CopyButton text={model.id} label={`Copy ${model.id}`} />
        </span>
      </div>
      <p className={styles.summary}>{document?.summary ?? " "}</p>
      <div className={styles.cardFoot}>
        <BillingChip says={model.billing.charges_on_policy_rejection} />
        {document && isPermissive(document.input) ? (
          <Chip title="Nothing is said about its input: any JSON object is accepted, and the provider checks it.">
            Any JSON
          </Chip>
        ) : null}
        <Health stats={stats} />
      </div>
    </article>
  );
}

export function BillingChip({ says }: { readonly says: string }): ReactNode {
  if (says === "no") return <Chip title="A refusal on policy grounds costs nothing.">Refusals free</Chip>;
  if (says === "yes")
    return (
      <Chip tone="warn" title="This model's provider charges for refusals on policy grounds.">
        Refusals charged
      </Chip>
    );
  return (
    <Chip title="Whether a refusal on policy grounds is charged is not verified for this model.">
      Refusals unverified
    </Chip>
  );
}

function Health({ stats }: { readonly stats: ModelStats | undefined }): ReactNode {
  if (stats === undefined || stats.calls === 0) return <span className={styles.quiet}>no calls in 24 h</span>;
  return (
    <span className={styles.health} title={`${stats.calls} calls in 24 hours`}>
      <span data-tone={toneOf(stats.success_rate)}>{percentOf(stats.success_rate)}</span>
      <span>p95 {spanOf(stats.p95_ms)}</span>
    </span>
  );
}

export const toneOf = (rate: number | null): "ok" | "warn" | "bad" =>
  rate === null || rate >= 0.99 ? "ok" : rate >= 0.9 ? "warn" : "bad";
