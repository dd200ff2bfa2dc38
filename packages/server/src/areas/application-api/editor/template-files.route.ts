// Templates as the editor reads them: an index by category, a workflow and a picture of each. They are those of the console: the
// operator's folder, and public ones that the operator installed.
import { createHash } from "node:crypto";
import type { Template, Templates } from "../../../capabilities/templates/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type BytesAnswer, type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import type { ApplicationCaller } from "../application-caller.ts";
import { editorOperations } from "../application-operations.ts";

const indexName = "index.json";
// The editor shows a template's first picture under this name.
const pictureName = /^(.+)-1\.(webp|avif|png|jpe?g)$/;
const noCategory = "Templates";

export function getTemplateFileRoute({ templates }: { readonly templates: Templates }): Route<ApplicationCaller> {
  return route(editorOperations.getTemplateFile, async (it) => {
    const file = it.params["file"] ?? "";
    if (file === indexName) return json(it, Buffer.from(JSON.stringify(indexOf(await templates.list()))));
    // There are no logos.
    if (file === "index_logo.json") return jsonAnswer(200, {}, { "cache-control": "private, no-cache" });
    const picture = await pictureOf(templates, file);
    if (picture !== null) return kept(it, picture.bytes, picture.type);
    const workflow = file.endsWith(".json") ? await templates.workflow(file.slice(0, -".json".length)) : null;
    if (workflow !== null) return json(it, workflow);
    throw new Fault("not_found", "There is no such template.");
  });
}

async function pictureOf(templates: Templates, file: string) {
  const name = pictureName.exec(file)?.[1];
  return name === undefined ? null : templates.picture(name);
}

// In the order of the list, one entry for each category.
function indexOf(templates: readonly Template[]) {
  const usable = templates.filter(({ facts }) => facts !== null);
  return Array.from(
    Map.groupBy(usable, ({ category = noCategory }) => category),
    ([title, group]) => ({ moduleName: "default", title, type: "image", templates: group.map(entryOf) }),
  );
}

function entryOf({ name, title, description = "", tags = [] }: Template) {
  return { name, title, description, mediaType: "image", mediaSubtype: "webp", tags };
}

const json = (it: Incoming<ApplicationCaller>, bytes: Uint8Array) => kept(it, bytes, "application/json; charset=utf-8");

function kept({ headers }: Incoming<ApplicationCaller>, bytes: Uint8Array, type: string): BytesAnswer {
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const own = { etag, "cache-control": "private, no-cache" };
  if ((headers["if-none-match"] ?? "").includes(etag)) return { status: 304, headers: own };
  return { status: 200, headers: { ...own, "content-type": type }, body: bytes };
}
