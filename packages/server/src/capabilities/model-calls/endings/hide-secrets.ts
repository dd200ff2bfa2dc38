// What a provider said about a call that did not complete is our text by the time it is kept, answered and delivered: it
// is searched for every secret of the server and of the workspace. A result is the provider's own bytes and is not touched
// (decision 0026).

import type { WorkspaceId } from "../../../foundation/ids.ts";
import { type Hiding, type KnownSecrets, removedWords } from "../../../foundation/known-secrets.ts";
import type { Attempt, Outcome } from "../../providers/index.ts";

export interface HidingDeps {
  // Nothing is searched for if absent.
  readonly known?: Pick<KnownSecrets, "ofWorkspace">;
}

export interface Said {
  readonly outcome: Outcome;
  readonly attempts: readonly Attempt[];
}

export async function hideSecrets({ known }: HidingDeps, workspaceId: WorkspaceId, said: Said): Promise<Said> {
  const isSaid = said.outcome.kind !== "completed" || said.attempts.some(({ words }) => words !== null);
  if (known === undefined || !isSaid) return said;
  // While the workspace's secrets cannot be looked up, no word of the provider is passed on.
  const hiding = await known.ofWorkspace(workspaceId).catch(() => hidesAll);
  return {
    outcome: hidden(said.outcome, hiding),
    attempts: said.attempts.map((attempt) => ({ ...attempt, words: hiddenWords(attempt.words, hiding) })),
  };
}

const hidesAll: Hiding = { text: () => removedWords, json: () => Buffer.from("[]") };

function hidden(outcome: Outcome, hiding: Hiding): Outcome {
  switch (outcome.kind) {
    case "refused":
      return { ...outcome, message: hiddenWords(outcome.message, hiding) };
    case "rejected_input": {
      const { message, detail } = outcome;
      const clean = detail === null ? null : hiding.json(Buffer.from(detail)).toString("utf8");
      return { ...outcome, message: hiddenWords(message, hiding), detail: clean };
    }
    case "failed": {
      const { refusedAccount } = outcome;
      if (!refusedAccount) return outcome;
      return { ...outcome, refusedAccount: { ...refusedAccount, words: hiddenWords(refusedAccount.words, hiding) } };
    }
    default:
      return outcome;
  }
}

function hiddenWords(words: string | null, hiding: Hiding): string | null {
  return words === null ? null : hiding.text(words);
}
