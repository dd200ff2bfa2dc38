// What the workspace has, in one sentence each, and what it can buy. Buying happens on the payment provider's page.
import type { CurrentPlan, PlanOffer } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { CreditCard, ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { plans } from "#strings/plans";
import { buttonClass } from "../../ui/button-class.ts";
import { Chip, type Tone } from "../../ui/chip.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { formatMoney } from "./money.ts";
import { overviewQuery } from "./plan-queries.ts";
import styles from "./plans.module.css";

const words = plans.current;

export function YourPlan(): ReactNode {
  const { data, error, refetch } = useQuery(overviewQuery);
  if (data === undefined) return <Pending fault={error} retry={refetch} height="17.55rem" />;
  const { current, offers } = data;
  return (
    <>
      <Panel title={words.title}>
        {current.length === 0 ? (
          <Empty icon={CreditCard} title={words.none}>
            {offers.length === 0 ? words.noneOffered : words.noneText}
          </Empty>
        ) : (
          <ul className={styles.current}>
            {current.map((plan) => (
              <Current key={plan.subscription} of={plan} />
            ))}
          </ul>
        )}
      </Panel>
      {offers.length === 0 ? null : (
        <Panel title={plans.offers.title}>
          <ul className={styles.offers}>
            {offers.map((offer) => (
              <Offer key={offer.id} of={offer} />
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

const tones: Readonly<Record<CurrentPlan["state"], Tone>> = {
  active: "ok",
  grace: "bad",
  ending: "warn",
  ended: "plain",
};

function Current({ of }: { readonly of: CurrentPlan }): ReactNode {
  const end = of.grace_until ?? of.period_end;
  return (
    <li>
      <div className={styles.name}>
        <Heading>{of.name}</Heading>
        <Chip tone={tones[of.state]}>{words.states[of.state]}</Chip>
      </div>
      <div className={kit.soft}>
        {end === null ? (
          words.unknown
        ) : (
          <Rich text={words[of.state]} end={<time dateTime={end}>{new Date(end).toLocaleDateString()}</time>} />
        )}
      </div>
    </li>
  );
}

function Offer({ of }: { readonly of: PlanOffer }): ReactNode {
  const { kind, checkout_url: url } = of;
  const creditWords = plans.offers.credits(Number(of.credits).toLocaleString());
  return (
    <li className={styles.offer}>
      <Heading>{of.name}</Heading>
      <div className={styles.price}>{formatMoney(of.price_minor, of.currency)}</div>
      <div>
        {creditWords} {kind === "once" ? plans.offers.once : plans.offers.aPeriod}
      </div>
      {kind === "once" ? null : (
        <div className={kit.soft}>{of.rolls_over ? plans.offers.keeps : plans.offers.ends}</div>
      )}
      <div className={styles.foot}>
        {url === null ? (
          <span className={kit.soft}>{plans.offers.ask}</span>
        ) : (
          <a
            className={buttonClass({ look: "primary" })}
            href={url}
            target="_blank"
            rel="noreferrer"
            aria-label={plans.offers.buyNamed(of.name)}
          >
            <ExternalLink aria-hidden="true" />
            {plans.offers.buy}
          </a>
        )}
      </div>
    </li>
  );
}
