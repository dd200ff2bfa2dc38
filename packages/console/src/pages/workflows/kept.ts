// What was opened last in this tab, so that looking at its job and coming back finds it. In memory: graphs hold prompts.
import type { Opened } from "./open-workflow.ts";

let kept: Opened | null = null;

export const keptOpened = (): Opened | null => kept;

export function keepOpened(opened: Opened | null): void {
  kept = opened;
}
