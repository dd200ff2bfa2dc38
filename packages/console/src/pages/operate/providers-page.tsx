import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Cable, Check, ChevronRight, FileCode, KeyRound, X } from "lucide-react";
import type { ReactNode } from "react";
import { definitions } from "#strings/operators/definitions";
import { providers as words } from "#strings/providers";
import {
  checksQuery,
  type Provider,
  providersQuery,
  type ServerCredential,
  serverCredentialsQuery,
} from "../../api/admin.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Heading } from "../../ui/heading.tsx";
import { keyed } from "../../ui/keyed.ts";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { CheckRow } from "./checks.tsx";
import { OneProvider } from "./one-provider.tsx";
import styles from "./operate.module.css";
import { ForOperators } from "./operator.tsx";

const route = getRouteApi("/console/providers");

export function ProvidersPage(): ReactNode {
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <LinkButton to="/console/providers/definition" search={{}}>
          <FileCode aria-hidden="true" />
          {definitions.new}
        </LinkButton>
      </PageHead>
      <ForOperators>
        <Providers />
      </ForOperators>
    </>
  );
}

function Providers(): ReactNode {
  const { provider } = route.useSearch();
  const { data, error, refetch } = useQuery(providersQuery);
  const credentials = useQuery(serverCredentialsQuery);
  if (data === undefined) return <Pending fault={error} retry={refetch} height="20rem" />;
  const opened = data.data.find((each) => each.provider === provider);
  const waiting =
    credentials.data?.data.filter((each) => !data.data.some((one) => one.provider === each.provider)) ?? [];
  if (provider !== undefined && (opened || waiting.some((each) => each.provider === provider)))
    return <OneProvider name={provider} of={opened ?? null} />;
  if (data.data.length === 0 && waiting.length === 0)
    return (
      <Panel>
        <Empty icon={Cable} title={words.none}>
          <p>{words.noneText}</p>
        </Empty>
      </Panel>
    );
  return (
    <Stack>
      {data.data.length > 0 ? (
        <Panel title={words.inUse} flush>
          <ul>
            {data.data.map((each) => (
              <ProviderRow key={each.provider} of={each} />
            ))}
          </ul>
        </Panel>
      ) : null}
      {credentials.error ? <FaultNote fault={credentials.error} retry={credentials.refetch} /> : null}
      {waiting.length > 0 ? (
        <Panel title={words.needCredential} flush>
          <ul>
            {waiting.map((each) => (
              <WaitingRow key={each.provider} of={each} />
            ))}
          </ul>
        </Panel>
      ) : null}
      <Partners />
    </Stack>
  );
}

// Their addresses and credentials come from the environment; the checks say what is missing.
function Partners(): ReactNode {
  const { data } = useQuery(checksQuery);
  const found = data?.data.filter(({ name }) => name === "partners") ?? [];
  if (found.length === 0) return null;
  return (
    <Panel title={words.partners} flush>
      <ul className={styles.rows}>
        {found.map((row) => (
          <CheckRow key={row.message} row={row} />
        ))}
      </ul>
    </Panel>
  );
}

// Breaks between words if it does not fit.
function SettingName({ of }: { readonly of: string }): ReactNode {
  return (
    <code>
      {keyed(of.split(/(?<=_)/), (part) => part).map(([key, part]) => (
        <span key={key}>
          {part}
          <wbr />
        </span>
      ))}
    </code>
  );
}

function WaitingRow({ of }: { readonly of: ServerCredential }): ReactNode {
  const navigate = route.useNavigate();
  return (
    <li className={styles.item} data-provider={of.provider}>
      <div className={styles.who}>
        <Heading>{of.provider}</Heading>
        <span className={kit.soft}>
          <SettingName of={of.setting} />
        </span>
      </div>
      <span>{words.models(of.models)}</span>
      <Button
        small
        aria-label={words.credential.enterFor(of.provider)}
        onClick={() => navigate({ search: { provider: of.provider } })}
      >
        {words.credential.enter}
        <ChevronRight aria-hidden="true" />
      </Button>
    </li>
  );
}

function ProviderRow({ of }: { readonly of: Provider }): ReactNode {
  const navigate = route.useNavigate();
  const served = of.models.filter((model) => model.served).length;
  return (
    <li className={styles.item} data-provider={of.provider}>
      <div className={styles.who}>
        <Heading>
          {of.provider}
          <CredentialChip of={of} />
        </Heading>
        <span className={kit.soft}>
          {words.one.sources[of.source] ?? of.source}
          {of.credential_setting && !of.credential_configured ? (
            <>
              {" · "}
              <Rich text={words.setSetting} setting={<code>{of.credential_setting}</code>} />
            </>
          ) : null}
        </span>
      </div>
      <span>{words.served(served, of.models.length)}</span>
      <Button
        small
        aria-label={words.openOf(of.provider)}
        onClick={() => navigate({ search: { provider: of.provider } })}
      >
        {words.open}
        <ChevronRight aria-hidden="true" />
      </Button>
    </li>
  );
}

export function CredentialChip({ of }: { readonly of: Provider }): ReactNode {
  if (!of.readable)
    return (
      <Chip tone="bad" icon={X}>
        {words.chips.unreadable}
      </Chip>
    );
  if (of.credential_setting === null)
    return (
      <Chip tone="ok" icon={Check}>
        {words.chips.notNeeded}
      </Chip>
    );
  return of.credential_configured ? (
    <Chip tone="ok" icon={Check}>
      {words.chips.set}
    </Chip>
  ) : (
    <Chip tone="warn" icon={KeyRound}>
      {words.chips.missing}
    </Chip>
  );
}
