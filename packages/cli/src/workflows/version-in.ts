// A version as people write it: 2 or v2.
import { wrongCall } from "../read-call.ts";

export function versionIn(command: string, word: string): number {
  const number = Number(word.replace(/^v/, ""));
  if (Number.isInteger(number) && number > 0) return number;
  throw wrongCall(command, [`“${word}” is not a version: give a number such as 2.`]);
}
