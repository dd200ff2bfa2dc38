// One-time sign-in links, for the operator of the machine: `atelier keys link` prints one, `atelier open` uses it.
import type { Config } from "../../config.ts";
import { findRunningServer } from "../../foundation/home/server-note.ts";
import { reachedAt } from "../../foundation/home/who-listens.ts";
import type { PersonId, WorkspaceId } from "../../foundation/ids.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import type { Capabilities } from "../build/build-capabilities.ts";
import type { CommandResult } from "./command.ts";
import { commandLine, requirePersonId } from "./within-process.ts";

export interface LinkRequest {
  readonly personId: PersonId;
  readonly platformUrl: string;
}

export interface LinkResult extends CommandResult {
  readonly data: { readonly link: string; readonly expires_at: Date };
}

export async function createLink(
  { identity }: Capabilities,
  { personId, platformUrl }: LinkRequest,
): Promise<LinkResult> {
  const { token, expiresAt } = await identity.signIn.createLink(personId, commandLine);
  const link = `${platformUrl}/sign-in/${token}`;
  return { data: { link, expires_at: expiresAt }, text: link };
}

// The configured URL, else the one that the running server of this folder reports.
export async function platformUrlOf(config: Config): Promise<string> {
  const said = config.platformUrl ?? config.baseUrl;
  if (said !== null) return said;
  return (await findRunningServer(config.home))?.platformUrl ?? reachedAt(config.host, config.port);
}

// The named person; else the owner of the named workspace, or of the first one.
export async function whoSignsIn(
  { identity }: Capabilities,
  word: string,
  workspaceId: WorkspaceId | null,
): Promise<PersonId> {
  if (word !== "") return requirePersonId(word);
  const members = workspaceId === null ? [] : await identity.members.list(workspaceId);
  const owner = workspaceId === null ? await identity.workspaces.firstOwner() : members.find(isOwner)?.person;
  if (!owner) throw new UsageProblem(["There are no people yet. Start the server once: atelier serve"]);
  return owner.id;
}

const isOwner = ({ role }: { readonly role: string }): boolean => role === "owner";
