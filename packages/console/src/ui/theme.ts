// Light, dark, or as the system has it. Kept in this browser; the document's first script applies it before anything is
// drawn.
import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
const key = "atelier.theme";
const watchers = new Set<() => void>();

function read(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
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
