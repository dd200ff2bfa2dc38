// The flags that a command takes, each with its line of the help.
import type { ListedCommand } from "@atelier/server/commands";

type Option = ListedCommand["options"][string];

export const flag = (about: string): Option => ({ type: "boolean", about });

export const text = (about: string, short?: string): Option => ({ type: "string", ...shortened(short), about });

// May be given several times.
export const texts = (about: string, short?: string): Option => ({
  type: "string",
  ...shortened(short),
  multiple: true,
  about,
});

const shortened = (short: string | undefined) => (short === undefined ? {} : { short });
