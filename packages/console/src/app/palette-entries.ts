// What the palette offers for a text: things by id, jobs by label, node classes, actions and pages.

import type { CallableWork, Job, SavedWorkflow } from "@atelier/sdk";
import { palette as words } from "#strings/palette";
import { jobName } from "../api/jobs.ts";
import type { Theme } from "../ui/theme.ts";
import { navigation } from "./navigation.ts";

export interface Found {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string | null;
}

interface Shown {
  readonly key: string;
  readonly title: string;
  readonly kind: string;
  readonly subtitle?: string | null | undefined;
}

export type Entry = Shown &
  (
    | { readonly to: string }
    // A page of the server that is not one of the console's.
    | { readonly leave: string }
    | { readonly theme: Theme }
    | { readonly shows: "keys" }
  );

// The page for each kind of thing.
export const pathOf: Readonly<Record<string, (id: string) => string>> = {
  job: (id) => `/console/jobs/${id}`,
  request: (id) => `/console/requests/${id}`,
  asset: (id) => `/console/gallery?asset=${id}`,
  model: (id) => `/console/models/${id}`,
  node: (id) => `/console/nodes/${id}`,
  publisher: (id) => `/console/nodes?publisher=${encodeURIComponent(id)}`,
  key: () => "/profile/api-keys",
  delivery: (id) => `/console/webhooks?delivery=${id}`,
  node_class: (id) => `/console/classes?class=${encodeURIComponent(id)}`,
};

const actions: readonly Entry[] = [
  { key: "create", title: words.actions.create, kind: words.kinds.action, to: "/" },
  { key: "keys", title: words.actions.keys, kind: words.kinds.action, shows: "keys" },
  { key: "guides", title: words.actions.guides, kind: words.kinds.action, leave: "/docs/guides" },
  { key: "run", title: words.actions.run, kind: words.kinds.action, to: "/console/workflows" },
  { key: "templates", title: words.actions.templates, kind: words.kinds.action, to: "/console/templates" },
  { key: "upload", title: words.actions.upload, kind: words.kinds.action, to: "/console/gallery" },
  { key: "new key", title: words.actions.newKey, kind: words.kinds.action, to: "/profile/api-keys" },
  { key: "invite", title: words.actions.invite, kind: words.kinds.action, to: "/console/members" },
  { key: "compare", title: words.actions.compare, kind: words.kinds.action, to: "/console/compare" },
  { key: "sign out", title: words.actions.signOut, kind: words.kinds.action, to: "/console/you" },
  { key: "light", title: words.actions.light, kind: words.kinds.action, theme: "light" },
  { key: "dark", title: words.actions.dark, kind: words.kinds.action, theme: "dark" },
  { key: "system", title: words.actions.system, kind: words.kinds.action, theme: "system" },
];

const kindWords: Readonly<Record<string, string>> = words.kinds;
const perKind = 5;

export function entriesOf(
  q: string,
  known: {
    readonly found: readonly Found[];
    readonly jobs: readonly Job[];
    readonly classes: readonly string[];
    readonly saved: readonly Pick<SavedWorkflow, "id" | "name">[];
    readonly works: readonly Pick<CallableWork, "id" | "title">[];
  },
): readonly Entry[] {
  const wanted = q.toLowerCase();
  const pages = navigation
    .flatMap(({ entries }) => entries)
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ label, to }): Entry => ({ key: to, title: label, kind: words.kinds.page, to }));
  const things = known.found.map(
    ({ kind, id, title, subtitle }): Entry => ({
      key: `${kind} ${id}`,
      title,
      subtitle,
      kind: kindWords[kind] ?? kind.replaceAll("_", " "),
      to: pathOf[kind]?.(id) ?? "/",
    }),
  );
  const jobs = known.jobs.map(
    (job): Entry => ({
      key: `job ${job.id}`,
      title: jobName(job),
      subtitle: job.status,
      kind: words.kinds.job,
      to: `/console/jobs/${job.id}`,
    }),
  );
  const classes = (wanted.length > 1 ? nearest(known.classes, wanted) : []).map(
    (name): Entry => ({
      key: `node_class ${name}`,
      title: name,
      kind: words.kinds.node_class,
      to: `/console/classes?class=${encodeURIComponent(name)}`,
    }),
  );
  const saved = known.saved.map(
    ({ id, name }): Entry => ({
      key: `workflow ${id}`,
      title: name,
      kind: words.kinds.workflow,
      to: `/console/workflows/${id}`,
    }),
  );
  const works = known.works.map(
    ({ id, title }): Entry => ({
      key: `model ${id}`,
      title: title ?? id,
      subtitle: id,
      kind: words.kinds.work,
      to: `/console/models/${id}`,
    }),
  );
  const acting = wanted.length > 1 ? actions.filter(({ title }) => title.toLowerCase().includes(wanted)) : [];
  const first = [...works, ...things, ...saved, ...jobs, ...classes];
  const all = [...first, ...acting, ...pages.slice(0, first.length > 0 ? 4 : 12)];
  const keys = new Set<string>();
  return all.filter(({ key }) => !keys.has(key) && keys.add(key));
}

// Exact matches first, then prefixes, then any that contain it.
function nearest(names: readonly string[], wanted: string): readonly string[] {
  const rank = (name: string) => {
    const at = name.toLowerCase().indexOf(wanted);
    return at < 0 ? null : at > 0 ? 2 : name.length === wanted.length ? 0 : 1;
  };
  return names
    .flatMap((name) => {
      const found = rank(name);
      return found === null ? [] : [{ name, found }];
    })
    .toSorted((one, two) => one.found - two.found || one.name.length - two.name.length)
    .slice(0, perKind)
    .map(({ name }) => name);
}
