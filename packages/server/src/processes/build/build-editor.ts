// The ecosystem's editor: its files from the data folder, for everyone who is signed in, and the API that it calls. Both are
// closed until an operator installs it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BrowserMembers } from "../../areas/account/index.ts";
import { type EditorExtension, editorArea } from "../../areas/editor/index.ts";
import { openEditor } from "../../capabilities/editor/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Area } from "../../foundation/http/area.ts";
import type { BuiltApplicationApi } from "./build-application-api.ts";
import type { ProcessDeps } from "./process-deps.ts";

// The script that lets the editor open what the console sent, and leads back.
const linkPath = "extensions/atelier/console-link.js";
const linkFile = join(import.meta.dirname, "../../../editor/console-link.js");

export function buildEditor(
  { config }: Pick<ProcessDeps, "config">,
  people: BrowserMembers,
  api: BuiltApplicationApi["forEditor"],
): readonly Area[] {
  const editor = openEditor(resolve(config.home));
  const extensions = new Map([[linkPath, extensionOf(readFileSync(linkFile, "utf8"))]]);
  const areas = api({
    extensions: [...extensions.keys()].map((path) => `/${path}`),
    async authenticate(arrival) {
      const member = await people.requireMember(arrival, arrival.path.split("/")[2] ?? "");
      if ((await editor.current()) === null) throw new Fault("not_found", "The editor is not installed.");
      return member;
    },
  });
  return areas.length === 0 ? [] : [editorArea({ editor, extensions, ...people }), ...areas];
}

function extensionOf(text: string): EditorExtension {
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
