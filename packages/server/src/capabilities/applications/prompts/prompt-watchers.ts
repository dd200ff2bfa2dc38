// Passes each event to the watchers of the prompt it names. Some frames name none (old previews, texts, the first message
// after a reconnect). An application runs one prompt at a time, so those belong to the one that ran last.
import type { Watcher } from "../application.ts";
import type { ApplicationEvent } from "../line/read-frame.ts";

export interface PromptWatchers {
  watch(promptId: string, watcher: Watcher): () => void;
  notify(event: ApplicationEvent): void;
  notifyConnection(isOpen: boolean): void;
}

export function createWatchers(): PromptWatchers {
  const byPrompt = new Map<string, Set<Watcher>>();
  let runningId: string | null = null;

  return {
    watch(promptId, watcher) {
      const watchers = byPrompt.get(promptId) ?? new Set();
      watchers.add(watcher);
      byPrompt.set(promptId, watchers);
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && byPrompt.get(promptId) === watchers) byPrompt.delete(promptId);
      };
    },
    notify(event) {
      if (event.kind === "status" || event.kind === "features") return;
      if (event.promptId !== null) runningId = event.kind === "left" ? null : event.promptId;
      const promptId = event.promptId ?? runningId;
      // Prompts of others and unknown ids are ignored here.
      for (const watcher of byPrompt.get(promptId ?? "") ?? []) watcher.onEvent(event);
    },
    notifyConnection(isOpen) {
      for (const watchers of byPrompt.values()) for (const watcher of watchers) watcher.onConnection(isOpen);
    },
  };
}
