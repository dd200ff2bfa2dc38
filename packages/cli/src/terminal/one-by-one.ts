// Handles items one after the other. If one fails, the error says which, and what was done before it stays done.
import type { CommandInput } from "@atelier/server/commands";

export async function oneByOne<T>(
  names: readonly string[],
  { say }: Pick<CommandInput, "say">,
  act: (name: string) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  for (const name of names) {
    try {
      done.push(await act(name));
    } catch (error) {
      const before = names.slice(0, done.length);
      if (names.length > 1) say(`! ${name} failed; done before it: ${before.join(", ") || "none"}`);
      throw error;
    }
  }
  return done;
}
