// Light, dark, or as the system has it. Kept in a cookie: the server writes it into the document, so that the colours are right
// before any script runs. A browser that keeps none has the choice as long as the page.
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
  for (const tell of watchers) tell();
}

export function useTheme(): Theme {
  return useSyncExternalStore(watch, read);
}

// Calls back when the colours on the page change, by choice or by the system; for what is drawn on a canvas.
export function watch(tell: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  watchers.add(tell);
  system.addEventListener("change", tell);
  return () => {
    watchers.delete(tell);
    system.removeEventListener("change", tell);
  };
}
