// The endpoints: what each gets, how it is doing, and what can be done about it.
import type { WebhookEndpoint } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Ban, CircleCheck, Ellipsis, type LucideIcon, Pause, Plus, Split, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { endpoints as words } from "#strings/webhooks/endpoints";
import { call } from "../../../api/client.ts";
import { useWhyNot } from "../../../api/may.ts";
import { operations } from "../../../api/operations.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { Ago } from "../../../ui/figures.tsx";
import { Heading } from "../../../ui/heading.tsx";
import kit from "../../../ui/kit.module.css";
import { Menu } from "../../../ui/menu.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Empty, Pending } from "../../../ui/states.tsx";
import { Rich } from "../../../ui/text/rich.tsx";
import { toast, toastFault } from "../../../ui/toast.tsx";
import { EditEndpoint, NewEndpoint, RotateEndpoint } from "./endpoint-dialogs.tsx";
import { endpointsQuery } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";

export function Endpoints(): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(endpointsQuery);
  const add = (
    <Button
      does={operations.createWebhookEndpoint}
      look="primary"
      small={data?.length !== 0}
      onClick={() => setAdding(true)}
    >
      <Plus aria-hidden="true" />
      {words.add}
    </Button>
  );
  return (
    <>
      <Panel title={words.title} flush actions={data?.length === 0 ? null : add}>
        {data === undefined ? (
          <Pending fault={error} retry={refetch} className={styles.note} height="4rem" count={2} />
        ) : data.length === 0 ? (
          <Empty icon={Split} title={words.none} actions={add}>
            {words.noneText}
          </Empty>
        ) : (
          <>
            <p className={styles.note}>{words.lead}</p>
            <ul aria-label={words.title}>
              {data.map((endpoint) => (
                <Row key={endpoint.id} of={endpoint} />
              ))}
            </ul>
          </>
        )}
      </Panel>
      <NewEndpoint isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

const looks: Readonly<Record<WebhookEndpoint["status"], readonly [Tone, LucideIcon]>> = {
  active: ["ok", CircleCheck],
  failing: ["warn", TriangleAlert],
  disabled: ["bad", Ban],
  paused: ["plain", Pause],
};

function Row({ of }: { readonly of: WebhookEndpoint }): ReactNode {
  const [tone, icon] = looks[of.status];
  const filter = Object.entries(of.filter);
  return (
    <li className={styles.row} data-endpoint={of.id}>
      <div className={styles.about}>
        <div className={styles.line}>
          <Chip tone={tone} icon={icon}>
            {words.status[of.status]}
          </Chip>
          <Heading className={styles.url}>{of.url}</Heading>
        </div>
        {of.description === "" ? null : <div className={kit.soft}>{of.description}</div>}
        <div className={styles.line}>
          {of.types.map((type) => (
            <code key={type} className={styles.type}>
              {type}
            </code>
          ))}
          {filter.map(([name, value]) => (
            <Chip key={name} tone="accent">
              {words.only[name as keyof typeof words.only]} {value}
            </Chip>
          ))}
        </div>
        {of.status_detail === null ? null : <p className={styles.detail}>{of.status_detail}</p>}
        <LastDelivery of={of} />
      </div>
      <Acts of={of} />
    </li>
  );
}

function LastDelivery({ of: { id, url, last_delivery: last } }: { readonly of: WebhookEndpoint }): ReactNode {
  if (last === null) return <div className={styles.last}>{words.nothingYet}</div>;
  return (
    <div className={styles.last}>
      <span>
        <Rich
          text={words.lastDelivery}
          type={
            <Link to="/console/webhooks" search={{ delivery: last.id }}>
              {last.type}
            </Link>
          }
          state={words.states[last.status]}
          time={<Ago at={last.created_at} />}
        />
      </span>
      <Link to="/console/webhooks" search={{ endpoint_id: id }} aria-label={words.deliveriesOf(url)}>
        {words.deliveries}
      </Link>
    </div>
  );
}

function Acts({ of }: { readonly of: WebhookEndpoint }): ReactNode {
  const mayEdit = useWhyNot(operations.updateWebhookEndpoint) === null;
  const [opened, setOpened] = useState<"edit" | "rotate" | "remove" | null>(null);
  const close = () => setOpened(null);
  const queries = useQueryClient();
  const navigate = useNavigate({ from: "/console/webhooks" });
  const params = { endpointId: of.id };
  const refresh = () => queries.invalidateQueries({ queryKey: ["webhooks"] });
  const test = useMutation({
    mutationFn: () => call(operations.testWebhookEndpoint, { params }),
    onSuccess: ({ id }) => navigate({ search: { delivery: id } }),
    onError: (thrown) => toastFault(thrown, words.notTested),
    onSettled: refresh,
  });
  const isOn = of.status === "active" || of.status === "failing";
  const turn = useMutation({
    mutationFn: () => call(isOn ? operations.pauseWebhookEndpoint : operations.resumeWebhookEndpoint, { params }),
    onSuccess: () => toast(isOn ? words.paused : words.resumed),
    onError: (thrown) => toastFault(thrown, words.notChanged),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => call(operations.deleteWebhookEndpoint, { params }),
    onSuccess: () => toast(words.removed),
    onError: (thrown) => toastFault(thrown, words.notChanged),
    onSettled: () => {
      close();
      refresh();
    },
  });
  return (
    <div className={styles.acts}>
      <Button
        does={operations.testWebhookEndpoint}
        small
        disabled={test.isPending}
        aria-label={words.testOf(of.url)}
        onClick={() => test.mutate()}
      >
        {words.test}
      </Button>
      <Button
        does={operations.pauseWebhookEndpoint}
        small
        disabled={turn.isPending}
        look={isOn ? undefined : "primary"}
        onClick={() => turn.mutate()}
      >
        {isOn ? words.pause : words.resume}
      </Button>
      {mayEdit ? (
        <Menu
          small
          iconOnly
          label={words.more(of.url)}
          trigger={<Ellipsis aria-hidden="true" />}
          entries={[
            { label: words.edit, does: operations.updateWebhookEndpoint, onPick: () => setOpened("edit") },
            { label: words.rotate, does: operations.rotateWebhookEndpointSecret, onPick: () => setOpened("rotate") },
            { label: words.remove, does: operations.deleteWebhookEndpoint, onPick: () => setOpened("remove") },
          ]}
        />
      ) : null}
      <EditEndpoint of={of} isOpen={opened === "edit"} onClose={close} />
      <RotateEndpoint of={of} isOpen={opened === "rotate"} onClose={close} />
      <Confirm
        title={words.removeTitle}
        isOpen={opened === "remove"}
        onClose={close}
        onConfirm={() => remove.mutate()}
        action={words.removeAction}
        isBusy={remove.isPending}
      >
        <Rich text={words.removeText} url={<code>{of.url}</code>} />
      </Confirm>
    </div>
  );
}
