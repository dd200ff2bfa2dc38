// The search parameters of these pages.
import { type SearchOf, searchReader, text, word } from "../../ui/search-params.ts";

export const systemTabs = ["checks", "background", "refused", "audit"] as const;
export type SystemTab = (typeof systemTabs)[number];
export const actorKinds = ["person", "api_key", "service_account", "admin_token", "system"] as const;

const systemReaders = {
  tab: word("background", "refused", "audit"),
  actor_kind: word(...actorKinds),
  action: text(),
  subject_id: text(),
  request_id: text(),
  cursor: text(2_000),
};

export type SystemSearch = SearchOf<typeof systemReaders>;
export const readSystemSearch = searchReader(systemReaders);

// `provider` is the one whose details are open.
export const readProvidersSearch = searchReader({ provider: text(), find: text() });

export const metricsSpans = ["hour", "day", "week", "month"] as const;
export type MetricsSpan = (typeof metricsSpans)[number];
export const readMetricsSearch = searchReader({ span: word("hour", "week", "month") });

export const settingSources = ["environment", "file", "flag", "default"] as const;
export const readSettingsSearch = searchReader({ q: text(), source: word(...settingSources) });

// Absent: a new one.
export const readDefinitionSearch = searchReader({ provider: text() });

export const workerTabs = ["workers", "deployments", "environments", "weights", "tokens"] as const;
export type WorkerTab = (typeof workerTabs)[number];
export const readWorkersSearch = searchReader({
  tab: word("deployments", "environments", "weights", "tokens"),
  cursor: text(2_000),
});

export const readWorkspacesSearch = searchReader({
  cursor: text(2_000),
  // The open workspace, the tab, and the position in its journal.
  workspace: text(),
  tab: word("limits", "models"),
  lines: text(2_000),
});
