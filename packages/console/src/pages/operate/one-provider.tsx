// One provider: its credential by name, and which of its models are released.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Check, EyeOff, FileCode } from "lucide-react";
import type { ReactNode } from "react";
import { definitions } from "#strings/operators/definitions";
import { providers } from "#strings/providers";
import { type Provider, providersQuery, serverCredentialsQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { modelParams } from "../../api/model-id.ts";
import { operations } from "../../api/operations.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { limitsLine, ModelLimitsButton, modelLimitsQuery } from "./limits/model-limits.tsx";
import styles from "./operate.module.css";
import { ProviderHealth } from "./provider-health.tsx";
import { CredentialPanel } from "./server-credential.tsx";

const words = providers.one;

// `of` is null for a provider that ships with the server and has no credential yet.
export function OneProvider(props: { readonly name: string; readonly of: Provider | null }): ReactNode {
  const { name, of: provider } = props;
  const credentials = useQuery(serverCredentialsQuery);
  return (
    <Stack>
      <div className={styles.item} style={{ padding: 0, border: 0 }}>
        <div className={styles.who}>
          <h2>{name}</h2>
        </div>
        <LinkButton small to="/console/providers/definition" search={{ provider: name }}>
          <FileCode aria-hidden="true" />
          {definitions.edit}
        </LinkButton>
        <LinkButton small look="quiet" to="/console/providers" search={{}}>
          <ArrowLeft aria-hidden="true" />
          {words.all}
        </LinkButton>
      </div>
      {credentials.error && credentials.data === undefined ? (
        <FaultNote fault={credentials.error} retry={credentials.refetch} />
      ) : null}
      <CredentialPanel provider={name} credential={credentials.data?.data.find((each) => each.provider === name)} />
      {provider ? (
        <>
          <Panel title={words.definition}>
            <Facts
              of={[
                [
                  words.source,
                  words.from(
                    words.sources[provider.source] ?? provider.source,
                    provider.version,
                    provider.hidden_sources,
                  ),
                ],
                [words.updated, provider.updated_at ? <Ago key="written" at={provider.updated_at} /> : "–"],
              ]}
            />
          </Panel>
          <ProviderHealth name={name} />
          <Models of={provider} />
        </>
      ) : (
        <Panel title={words.models}>
          {" "}
          <Stack>
            <p>{words.shipped}</p>
            <p>
              <Rich text={words.untested} command={<code>atelier models check {name} --live</code>} />
            </p>
          </Stack>
        </Panel>
      )}
    </Stack>
  );
}

function Models({ of: provider }: { readonly of: Provider }): ReactNode {
  const limits = useQuery(modelLimitsQuery);
  const releasing = useChange({
    change: ({ id, released }: { readonly id: string; readonly released: boolean }) =>
      call(operations.setModelRelease, { params: modelParams(id), json: { released } }),
    stale: [providersQuery.queryKey],
    said: (_, { id, released }) => (released ? words.isReleased(id) : words.isHidden(id)),
    failed: words.releaseFailed,
  });
  return (
    <Panel title={words.models} flush>
      {limits.error && limits.data === undefined ? <FaultNote fault={limits.error} retry={limits.refetch} /> : null}
      <ul>
        {provider.models.map(({ id, released, served, release_override, verified, deprecated_at }) => (
          <li key={id} className={styles.item} data-model={id}>
            <div className={styles.who}>
              <Heading>
                <code>{id}</code>
                <Chip tone={served ? "ok" : "plain"} icon={served ? Check : EyeOff}>
                  {served ? words.isServed : released ? words.notServed : words.notReleased}
                </Chip>
              </Heading>
              <span className={kit.soft}>
                {release_override === null ? words.byDefinition : words.byOperator}
                {" · "}
                {verified === null ? words.neverVerified : <Rich text={words.verified} when={<Ago at={verified} />} />}
                {deprecated_at === null ? null : ` · ${words.deprecated}`}
                {limits.data?.has(id) ? ` · ${limitsLine(limits.data.get(id))}` : null}
              </span>
            </div>
            <ModelLimitsButton model={id} limits={limits.data} />
            <Button
              small
              does={operations.setModelRelease}
              aria-label={released ? words.hideOf(id) : words.releaseOf(id)}
              disabled={releasing.isPending}
              onClick={() => releasing.mutate({ id, released: !released })}
            >
              {released ? words.hide : words.release}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
