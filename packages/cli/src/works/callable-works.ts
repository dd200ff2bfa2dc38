// The works that you may call: your own, those shared with your workspace, and public ones.
import type { Atelier, CatalogEntry } from "@atelier/sdk";
import { isWorkId } from "./named-work.ts";

export async function callableWorks(atelier: Atelier, most: number): Promise<readonly CatalogEntry[]> {
  const found: CatalogEntry[] = [];
  for await (const entry of atelier.models.list({ pageSize: 100 })) {
    if (found.length === most) break;
    if (isWorkId(entry.id)) found.push(entry);
  }
  return found;
}
