// Ctrl-C before there is a job to cancel: an upload is aborted, but a submission runs to its end, because the server may already
// have the job. A second one exits immediately.
import type { CommandInput, CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";

export class EarlyInterrupts {
  readonly #stopping = new AbortController();
  readonly #input: CommandInput;
  readonly signal: AbortSignal = this.#stopping.signal;
  isSubmitting = false;
  isInterrupted = false;

  constructor(input: CommandInput) {
    this.#input = input;
    process.on("SIGINT", this.#interrupt);
  }

  readonly #interrupt = (): void => {
    if (this.isInterrupted) this.#input.exit(exitCodes.interrupted);
    this.isInterrupted = true;
    if (!this.isSubmitting) this.#stopping.abort();
    else this.#input.say("Canceling the job as soon as the server answers … (press Ctrl-C again to exit now)");
  };

  end(): void {
    process.off("SIGINT", this.#interrupt);
  }
}

// The result if no job had been created yet.
export function nothingSubmitted({ say }: Pick<CommandInput, "say">): CommandResult {
  const problem = "Nothing was submitted.";
  say(problem);
  return { data: null, text: "", exitCode: exitCodes.interrupted, problem };
}
