// The version of this package, from its package.json.
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
export const serverVersion: string = String((JSON.parse(text) as { version: unknown }).version);
