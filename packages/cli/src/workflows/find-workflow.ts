// Finds a saved workflow by its id or as folder/name.
import type { Atelier, KeptWorkflow, SavedWorkflow } from "@atelier/sdk";
import { ClientProblem } from "../server/client-problem.ts";

export async function findWorkflow(atelier: Atelier, given: string): Promise<KeptWorkflow> {
  if (/^[0-9a-f-]{36}$/.test(given)) return atelier.workflows.get(given);
  const { folder, name } = splitPath(given);
  const known = await findNamed(atelier, folder, name);
  if (known !== null) return atelier.workflows.get(known.id);
  throw new ClientProblem("not_there", "not_found", `There is no saved workflow called “${given}”.`, {
    hint: "list them: atelier workflows ls   or save a file first: atelier workflows save <file>",
  });
}

export async function findNamed(atelier: Atelier, folder: string, name: string): Promise<SavedWorkflow | null> {
  if (name === "") return null;
  for await (const each of atelier.workflows.list({ q: name, ...(folder === "" ? {} : { folder }), pageSize: 100 }))
    if (each.name === name && each.folder === folder) return each;
  return null;
}

export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const parts = path.split("/").filter((part) => part !== "");
  return { folder: parts.slice(0, -1).join("/"), name: parts.at(-1) ?? "" };
}

export const pathOf = ({ folder, name }: Pick<SavedWorkflow, "folder" | "name">) =>
  folder === "" ? name : `${folder}/${name}`;
