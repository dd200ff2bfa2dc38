// The version of this package, as its package.json says it.
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
export const serverVersion: string = String((JSON.parse(text) as { version: unknown }).version);
