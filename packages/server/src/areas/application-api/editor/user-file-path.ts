// The names of a person's files in the editor. A path below `workflows/` that ends in `.json` is a saved workflow of the
// workspace; hidden names there, such as the list of bookmarks, and everything else are the person's own files.
import { Fault } from "../../../foundation/fault.ts";

export type UserPath =
  | { readonly kind: "workflow"; readonly path: string; readonly folder: string; readonly name: string }
  | { readonly kind: "file"; readonly path: string };

const charactersMax = 400;
const nameCharactersMax = 100;
const depthMax = 9;
export const workflowsFolder = "workflows";
const ending = ".json";

// Throws forbidden for a path that leads out of the folder or that no file can have, as the application answers it.
export function readUserPath(given: string): UserPath {
  const names = namesIn(given);
  const last = names.at(-1);
  if (last === undefined) throw refusedPath();
  const path = names.join("/");
  const isWorkflow = names.length > 1 && names[0] === workflowsFolder && last.endsWith(ending);
  if (!isWorkflow || names.some((name) => name.startsWith("."))) return { kind: "file", path };
  const name = last.slice(0, -ending.length).trim();
  if (name === "" || [...name].length > nameCharactersMax) throw refusedPath();
  const folder = names.slice(1, -1).join("/");
  return { kind: "workflow", path: workflowPath({ folder, name }), folder, name };
}

export function workflowPath({ folder, name }: { readonly folder: string; readonly name: string }): string {
  return `${workflowsFolder}/${folder === "" ? "" : `${folder}/`}${name}${ending}`;
}

// The folder of a listing, without slashes at its ends; "" is the top.
export function readUserFolder(given: string): string {
  return namesIn(given.replace(/\/+$/, ""), true).join("/");
}

function namesIn(given: string, mayBeTop = false): string[] {
  const text = given.normalize("NFC");
  if (text === "" && mayBeTop) return [];
  const names = text.split("/").map((name) => name.trim());
  if (text.length > charactersMax || names.length > depthMax || !names.every(isName)) throw refusedPath();
  return names;
}

const isName = (name: string): boolean =>
  name !== "" && name.isWellFormed() && !/[\\\p{Cc}\u2028\u2029]/u.test(name) && !/^\.+$/.test(name);

const refusedPath = () =>
  new Fault("forbidden", 'Invalid filename. Please avoid special characters like :\\/*?"<>|', { details: {} });
