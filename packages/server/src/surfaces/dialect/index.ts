// The dialect: alternative spellings and shapes at the rim, so that unmodified public clients work against us (decisions,
// section 9). A process asks for it once; where it is off, it gets null and hands on what it has.
import type { Area } from "../../foundation/http/area.ts";
import type { Rim } from "../../foundation/http/rim.ts";
import { comfyRim } from "./rim.ts";

export type DialectName = "off" | "comfy";

export interface Dialect {
  readonly rim: Rim;
  // The same areas, whose bodies are respelled where the table says so.
  respell(areas: readonly Area[]): readonly Area[];
}

export function dialectOf(name: DialectName): Dialect | null {
  return name === "comfy" ? comfy : null;
}

const comfy: Dialect = { rim: comfyRim, respell: (areas) => areas };
