// One provider: its credential by name, and which of its models are released.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Check, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { type Provider, providersQuery, serverCredentialsQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./operate.module.css";
import { CredentialPanel } from "./server-credential.tsx";

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
        <LinkButton small look="quiet" to="/console/providers" search={{}}>
          <ArrowLeft aria-hidden="true" />
          All providers
        </LinkButton>
      </div>
      {credentials.error && credentials.data === undefined ? (
        <FaultNote fault={credentials.error} retry={credentials.refetch} />
      ) : null}
      <CredentialPanel provider={name} credential={credentials.data?.data.find((each) => each.provider === name)} />
      {provider ? (
        <>
          <Panel title="Definition">
            <Facts
              of={[
                ["From", definitionWords(provider)],
                ["Written", provider.updated_at ? <Ago key="written" at={provider.updated_at} /> : "–"],
              ]}
            />
          </Panel>
          <Models of={provider} />
        </>
      ) : (
        <Panel title="Models">
          <Stack>
            <p>It comes with the server. Its models are listed and served once there is a credential.</p>
            <p>
              The definition was written from the provider's documentation. Nobody has called it with a real key from
              this server yet. Once you have set the credential, run <code>atelier models check {name} --live</code>: it
              makes one real call and says what it costs first.
            </p>
          </Stack>
        </Panel>
      )}
    </Stack>
  );
}

export const sources: Readonly<Record<string, string>> = {
  admin: "written by an operator",
  file: "from a file",
  built_in: "comes with the server",
};

function definitionWords({ source, version, hidden_sources }: Provider): string {
  const hidden = hidden_sources.length === 0 ? "" : `; stands before one from ${hidden_sources.join(", ")}`;
  return `${sources[source] ?? source}${version === null ? "" : `, version ${version}`}${hidden}`;
}

function Models({ of: provider }: { readonly of: Provider }): ReactNode {
  const queries = useQueryClient();
  const releasing = useMutation({
    mutationFn: ({ id, released }: { readonly id: string; readonly released: boolean }) =>
      call(`/admin/models/${id}/release`, { method: "PUT", json: { released } }),
    onSuccess: (_, { id, released }) => {
      queries.invalidateQueries({ queryKey: providersQuery.queryKey });
      toast(released ? `${id} is released.` : `${id} is taken back: it is absent everywhere.`);
    },
    onError: (thrown) => toastFault(thrown, "The release was not changed"),
  });
  return (
    <Panel title="Models" flush>
      <ul>
        {provider.models.map(({ id, released, served, release_override, verified, deprecated_at }) => (
          <li key={id} className={styles.item} data-model={id}>
            <div className={styles.who}>
              <Heading>
                <code>{id}</code>
                <Chip tone={served ? "ok" : "plain"} icon={served ? Check : EyeOff}>
                  {served ? "Served" : released ? "Released, not served" : "Not released"}
                </Chip>
              </Heading>
              <span className={kit.soft}>
                {release_override === null ? "as its definition says" : "as an operator said"}
                {" · "}
                {verified === null ? (
                  "never verified by a live call"
                ) : (
                  <>
                    verified <Ago at={verified} />
                  </>
                )}
                {deprecated_at === null ? null : " · deprecated"}
              </span>
            </div>
            <Button
              small
              aria-label={`${released ? "Take back" : "Release"} ${id}`}
              disabled={releasing.isPending}
              onClick={() => releasing.mutate({ id, released: !released })}
            >
              {released ? "Take back" : "Release"}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
