// The search parameters of these pages.
import { searchReader, text, word } from "../../ui/search-params.ts";

export const readModelsSearch = searchReader({
  q: text(),
  provider: text(),
  kind: word("image", "video", "audio", "text", "other", "work"),
});

export const tabs = ["playground", "api", "requests", "health"] as const;
export const views = ["form", "json", "code"] as const;
export const languages = ["curl", "typescript", "python", "cli"] as const;

export const readModelSearch = searchReader({
  tab: word(...tabs),
  view: word(...views),
  lang: word(...languages),
  // How it runs: "queued", or directly if absent.
  how: word("queued"),
  // A queued call that we wait for or that has ended, so that a reload finds it again.
  request: text(),
  outcome: text(),
});

export const readCompareSearch = searchReader({ models: text(2_000) });
