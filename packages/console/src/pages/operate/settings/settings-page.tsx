// Every setting in effect, with its value and where it comes from. Secrets never leave the server.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { KeyRound, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { settings as words } from "#strings/operators/settings";
import { type EffectiveSetting, settingsQuery } from "../../../api/admin.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Facet, Facets, FilterBar } from "../../../ui/filter-bar/filter-bar.tsx";
import { keyed } from "../../../ui/keyed.ts";
import kit from "../../../ui/kit.module.css";
import { PageHead, Panel, Stack } from "../../../ui/panel.tsx";
import { Empty, Pending } from "../../../ui/states.tsx";
import { InlineCode } from "../../../ui/text/inline-code.tsx";
import { Rich } from "../../../ui/text/rich.tsx";
import { settingSources } from "../operate-search.ts";
import { ForOperators } from "../operator.tsx";
import { isFound } from "./found-settings.ts";
import styles from "./settings.module.css";

const route = getRouteApi("/console/settings");

export function SettingsPage(): ReactNode {
  return (
    <>
      <PageHead title={words.title} lead={<Rich text={words.lead} file={<code>atelier.config.json</code>} />} />
      <ForOperators>
        <Settings />
      </ForOperators>
    </>
  );
}

function Settings(): ReactNode {
  const { data, error, refetch } = useQuery(settingsQuery);
  const { q, source } = route.useSearch();
  const navigate = route.useNavigate();
  if (data === undefined) return <Pending fault={error} retry={refetch} height="30rem" />;
  const found = data.data.filter((setting) => isFound(setting, q ?? ""));
  const shown = found.filter((setting) => source === undefined || setting.source === source);
  return (
    <Stack>
      <FilterBar
        label={words.search}
        hint={words.searchHint}
        q={q}
        onQ={(next) => navigate({ search: (now) => ({ ...now, q: next }), replace: true, resetScroll: false })}
      >
        <Facets label={words.from}>
          {settingSources.map((each) => (
            <Facet
              key={each}
              isOn={source === each}
              count={found.filter((setting) => setting.source === each).length}
              onToggle={() =>
                navigate({
                  search: (now) => ({ ...now, source: source === each ? undefined : each }),
                  replace: true,
                  resetScroll: false,
                })
              }
            >
              {words.sources[each]}
            </Facet>
          ))}
        </Facets>
      </FilterBar>
      <p className={kit.soft} role="status">
        {words.count(shown.length, data.data.length)}
      </p>
      <Panel flush>
        {shown.length === 0 ? (
          <Empty icon={SearchX} title={words.none}>
            <p>{words.noneText}</p>
          </Empty>
        ) : (
          <SettingList of={shown} />
        )}
      </Panel>
    </Stack>
  );
}

function SettingList({ of }: { readonly of: readonly EffectiveSetting[] }): ReactNode {
  return (
    <ul className={styles.list}>
      {of.map((setting) => (
        <li key={setting.env} data-setting={setting.env}>
          <div className={styles.name}>
            <code>
              <Breaking text={setting.env} />
            </code>
            <code className={kit.soft}>{setting.flag}</code>
          </div>
          <div className={styles.value}>
            <Value of={setting} />
            {setting.source === "default" ? null : <Chip tone="accent">{words.sources[setting.source]}</Chip>}
          </div>
          <div className={styles.about}>
            <InlineCode text={setting.about} />
          </div>
        </li>
      ))}
    </ul>
  );
}

// Breaks between words if it does not fit.
function Breaking({ text }: { readonly text: string }): ReactNode {
  return keyed(text.split(/(?<=_)/), (part) => part).map(([key, part]) => (
    <span key={key}>
      {part}
      <wbr />
    </span>
  ));
}

function Value({ of: setting }: { readonly of: EffectiveSetting }): ReactNode {
  const { value, is_secret, source } = setting;
  if (is_secret)
    return value === null ? (
      <span className={kit.soft}>{words.secretUnset}</span>
    ) : (
      <Chip icon={KeyRound}>{words.secretSet}</Chip>
    );
  return (
    <div>
      {value === null ? <span className={kit.soft}>{words.unset}</span> : <code>{value}</code>}
      {source !== "default" && setting.default !== null && setting.default !== value ? (
        <div className={kit.soft}>{words.isDefault(setting.default)}</div>
      ) : null}
    </div>
  );
}
