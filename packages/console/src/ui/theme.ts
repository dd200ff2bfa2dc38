// Light, dark, or the system's theme. Kept in a cookie, so that the server can write it into the document and the colours are
// right before any script runs. Without cookies the choice lasts as long as the page.
import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
const yearSeconds = 31_536_000;
const watchers = new Set<() => void>();

function read(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  const seconds = theme === "system" ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is asynchronous and needs TLS
  document.cookie = `atelier_theme=${theme}; path=/; samesite=lax; max-age=${seconds}`;
  for (const notify of watchers) notify();
}

export function useTheme(): Theme {
  return useSyncExternalStore(watch, read);
}

// Calls back when the page's colours change, by choice or by the system; for canvas drawing.
export function watch(notify: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  watchers.add(notify);
  system.addEventListener("change", notify);
  return () => {
    watchers.delete(notify);
    system.removeEventListener("change", notify);
  };
}
