// The search parameters of these pages.
type Given = Readonly<Record<string, unknown>>;

const textIn = (given: Given, name: string): string | undefined => {
  const value = given[name];
  return typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;
};

function oneOf<Word extends string>(given: Given, name: string, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === given[name]);
}

// Leaves absent members out of the address.
function present<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}

export const readModelsSearch = (given: Given) =>
  present({
    q: textIn(given, "q"),
    provider: textIn(given, "provider"),
    kind: oneOf(given, "kind", ["image", "video", "audio", "text", "other"]),
  });

export const tabs = ["playground", "api", "requests", "health"] as const;
export const views = ["form", "json", "code"] as const;
export const languages = ["curl", "typescript", "python", "cli"] as const;

export const readModelSearch = (given: Given) =>
  present({
    tab: oneOf(given, "tab", tabs),
    view: oneOf(given, "view", views),
    lang: oneOf(given, "lang", languages),
    // How it runs: "queued", or directly if absent.
    how: oneOf(given, "how", ["queued"]),
    // A queued call that we wait for or that has ended, so that a reload finds it again.
    request: textIn(given, "request"),
    outcome: textIn(given, "outcome"),
  });

export const readCompareSearch = (given: Given) => present({ models: textIn(given, "models") });
