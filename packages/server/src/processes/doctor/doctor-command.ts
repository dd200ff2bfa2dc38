// `atelier doctor`: checks everything a server needs and says how to fix what is wrong. Exit code 12 if something is.

import type { Finding } from "../../foundation/looks/finding.ts";
import { type Command, readCommand } from "../commands/command.ts";
import { lookAtDatabase } from "./doctor-database.ts";
import { lookAtMachine, lookAtOwner, lookAtParts } from "./doctor-machine.ts";
import { lookAtSettings } from "./doctor-settings.ts";

const foundProblems = 12;
const marks = { ok: "✓", warning: "!", problem: "✕" };

export const doctorCommand: Command = {
  async run(listed, input) {
    const { config } = readCommand(listed, input);
    const findings = lookAtOwner(config) ?? [
      ...(await lookAtMachine(config)),
      ...(await lookAtSettings(config, input)),
      ...(await lookAtParts(config)),
      ...(await lookAtDatabase(config)),
    ];
    const countOf = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
    const [problems, warnings] = [countOf("problem"), countOf("warning")];
    const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
    const verdict = `${counted(problems, "problem")}, ${counted(warnings, "warning")}`;
    const text = [...findings.flatMap(linesOf), problems + warnings === 0 ? "No problems." : verdict].join("\n");
    return {
      data: { findings, problems, warnings },
      text,
      ...(problems > 0 ? { exitCode: foundProblems, problem: verdict } : {}),
    };
  },
};

function linesOf({ name, state, message, mend }: Finding): string[] {
  const line = `${marks[state]} ${name.padEnd(12)} ${message}`;
  return mend === undefined ? [line] : [line, `  ${" ".repeat(12)} → ${mend}`];
}
