// One model as a card: what it makes, what it costs, and how its calls went here.
import type { AccountModel, CallableWork, LockedModel } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { models as words } from "#strings/models";
import { accountQuery } from "../../../api/account.ts";
import type { ModelStats } from "../../../api/models.ts";
import { formatDuration, formatPercent } from "../../../ui/amounts.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { CopyButton } from "../../../ui/copy.tsx";
import { WorkPicture } from "../../../ui/work-form/work-picture.tsx";
import { refusalWords } from "../refusal-words.ts";
import styles from "./models.module.css";
import { Price } from "./price.tsx";
import { Sample } from "./sample.tsx";

export function ModelCard(props: { readonly model: AccountModel; readonly stats: ModelStats | undefined }): ReactNode {
  const { model, stats } = props;
  return (
    <Card of={model} picture={<Sample id={model.id} kind={model.kind ?? "other"} />}>
      <Price price={model.price} />
      <Health stats={stats} />
    </Card>
  );
}

export function WorkModelCard({ work }: { readonly work: CallableWork }): ReactNode {
  return (
    <Card of={work} picture={<WorkPicture assetId={work.cover} />}>
      <Chip>{words.list.work}</Chip>
    </Card>
  );
}

// Cannot be called until a key is added; says where.
export function LockedCard({ model }: { readonly model: LockedModel }): ReactNode {
  return (
    <Card of={model} isLocked picture={<Sample id={model.id} kind={model.kind ?? "other"} />}>
      <Price price={model.price} />
      <NeedsKey model={model} />
    </Card>
  );
}

export function NeedsKey({ model }: { readonly model: LockedModel }): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const look = buttonClass({ small: true });
  const isOperator = account?.is_operator === true;
  return (
    <span className={styles.needsKey}>
      <Chip icon={KeyRound} tone="warn">
        {words.list.needsKey}
      </Chip>
      {isOperator ? (
        <Link className={look} to="/console/providers" search={{ provider: model.provider }}>
          {words.list.addKey}
        </Link>
      ) : model.own_credential ? (
        <Link className={look} to="/console/credentials">
          {words.list.addOwnKey}
        </Link>
      ) : (
        <span>{words.list.askOperator}</span>
      )}
    </span>
  );
}

function Card(props: {
  readonly of: Pick<AccountModel, "id" | "provider" | "model"> & {
    readonly title?: string | null | undefined;
    readonly description?: string | null | undefined;
  };
  readonly isLocked?: boolean;
  readonly picture: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const { id, provider, model, title, description } = props.of;
  const name = title ?? model;
  return (
    <article className={styles.card} data-locked={props.isLocked === true}>
      <div className={styles.picture}>{props.picture}</div>
      <div className={styles.about}>
        <h3>
          {props.isLocked ? (
            name
          ) : (
            <Link to="/console/models/$provider/$model" params={{ provider, model }} className={styles.cardLink}>
              {name}
            </Link>
          )}
        </h3>
        <span className={styles.cardId}>
          <code>{id}</code>
          <CopyButton text={id} label={words.card.copy(id)} />
        </span>
        <p className={styles.summary}>{description?.split("\n")[0] ?? ""}</p>
      </div>
      <div className={styles.cardFoot}>{props.children}</div>
    </article>
  );
}

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
      <span>{words.list.p50(formatDuration(stats.p50_ms))}</span>
      <span data-tone={toneOf(stats.success_rate)}>{words.card.succeeded(formatPercent(stats.success_rate))}</span>
    </span>
  );
}

export const toneOf = (rate: number | null): "ok" | "warn" | "bad" =>
  rate === null || rate >= 0.99 ? "ok" : rate >= 0.9 ? "warn" : "bad";
