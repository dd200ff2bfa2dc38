// How heavy a module is: its product lines, without tests, fixtures and generated files. Each package is a module; in the
// server, so is each capability, each area and each other floor.
import { lineCount, type Sources } from "./sources.ts";

export function moduleOfFile(path: string): string {
  const [top = "", name = "", , floor = "", room = ""] = path.split("/");
  if (top !== "packages") return top;
  if (name !== "server") return name;
  if (floor === "capabilities" || floor === "areas") return `server/${floor}/${room}`;
  return ["foundation", "surfaces"].includes(floor) ? `server/${floor}` : "server/processes";
}

export function weights(product: Sources): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [path, text] of product) {
    const module = moduleOfFile(path);
    found.set(module, (found.get(module) ?? 0) + lineCount(text));
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}
