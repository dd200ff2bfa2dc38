// A person's files as the editor sees them: the workspace's saved workflows, with their versions behind them, and files of their
// own. Deleting a workflow archives it, so that it can be brought back in the console.
import type { EditorFile, EditorFiles } from "../../../capabilities/editor-files/index.ts";
import type { SavedWorkflow, SavedWorkflows } from "../../../capabilities/saved-workflows/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { ExpectedVersion } from "../../../foundation/http/expected-version.ts";
import { type ApplicationCaller, authorOf, ownerOf } from "../application-person.ts";
import { readUserPath, type UserPath, workflowPath, workflowsFolder } from "./user-file-path.ts";

export interface UserFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  // Rises with every change.
  readonly revision: number;
}

export interface UserFileContent extends UserFile {
  readonly bytes: Buffer;
}

export interface UserFilesDeps {
  readonly savedWorkflows: Pick<
    SavedWorkflows,
    "list" | "findNamed" | "save" | "saveVersion" | "change" | "document" | "get"
  >;
  readonly editorFiles: EditorFiles;
}

export interface WrittenUserFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly expected: ExpectedVersion;
  readonly mayReplace: boolean;
}

const pageMax = 200;
const unconditionally: ExpectedVersion = { kind: "any" };
// The editor asks for these before anything was saved.
const alwaysThere: ReadonlySet<string> = new Set(["", workflowsFolder, "subgraphs"]);

export class UserFiles {
  readonly #deps: UserFilesDeps;

  constructor(deps: UserFilesDeps) {
    this.#deps = deps;
  }

  // All files below the folder, by path. Null if there is no such folder.
  async list(caller: ApplicationCaller, folder: string): Promise<readonly UserFile[] | null> {
    const { editorFiles } = this.#deps;
    const isBelow = ({ path }: { readonly path: string }) => folder === "" || path.startsWith(`${folder}/`);
    const mayHaveWorkflows = folder === "" || folder === workflowsFolder || folder.startsWith(`${workflowsFolder}/`);
    const [workflows, files] = await Promise.all([
      mayHaveWorkflows ? this.#workflows(caller) : [],
      editorFiles.list(ownerOf(caller)),
    ]);
    const found = [...workflows, ...files].filter(isBelow).sort((one, other) => (one.path < other.path ? -1 : 1));
    return found.length === 0 && !alwaysThere.has(folder) ? null : found;
  }

  async #workflows({ workspaceId }: ApplicationCaller): Promise<UserFile[]> {
    const found: UserFile[] = [];
    const by = { workspaceId, text: "", folder: null, tag: null, classType: null, isArchived: false, limit: pageMax };
    let before: Awaited<ReturnType<SavedWorkflows["list"]>>["next"] = null;
    do {
      const page: Awaited<ReturnType<SavedWorkflows["list"]>> = await this.#deps.savedWorkflows.list({ ...by, before });
      found.push(...page.workflows.map(fileOfWorkflow));
      before = page.next;
    } while (before !== null);
    return found;
  }

  // Null if there is none.
  async read(caller: ApplicationCaller, given: string): Promise<UserFileContent | null> {
    const path = readUserPath(given);
    if (path.kind === "file") return this.#deps.editorFiles.read(ownerOf(caller), path.path);
    const workflow = await this.#named(caller, path);
    if (workflow === null) return null;
    const { workspaceId, id } = workflow;
    const { document } = await this.#deps.savedWorkflows.document({ workspaceId, id }, workflow.version, null);
    return { ...fileOfWorkflow(workflow), bytes: document };
  }

  // Throws conflict if it is there already and may not be replaced.
  async write(caller: ApplicationCaller, written: WrittenUserFile): Promise<UserFile> {
    const path = readUserPath(written.path);
    if (path.kind === "workflow") return this.#save(caller, path, written, 2);
    const expected = written.mayReplace ? written.expected : ({ kind: "absent" } as const);
    try {
      const file = { path: path.path, bytes: written.bytes, expected };
      return await this.#deps.editorFiles.write(ownerOf(caller), file);
    } catch (thrown) {
      if (!written.mayReplace && isFault(thrown, "precondition_failed")) throw alreadyThere();
      throw thrown;
    }
  }

  async #save(
    caller: ApplicationCaller,
    path: Extract<UserPath, { kind: "workflow" }>,
    written: WrittenUserFile,
    attempts: number,
  ): Promise<UserFile> {
    const { savedWorkflows } = this.#deps;
    const { bytes, expected, mayReplace } = written;
    const source = { bytes, mayBeEmpty: true };
    const by = authorOf(caller);
    const before = await this.#named(caller, path);
    if (before !== null) {
      if (!mayReplace) throw alreadyThere();
      const { workspaceId, id } = before;
      await savedWorkflows.saveVersion({ workspaceId, id }, { source, note: null, expected }, by);
      return fileOfWorkflow(await savedWorkflows.get({ workspaceId, id }));
    }
    if (expected.kind === "version" || expected.kind === "present")
      throw new Fault("precondition_failed", "The file is gone since you read it.");
    const { workspaceId } = caller;
    const { name, folder } = path;
    try {
      return fileOfWorkflow(await savedWorkflows.save({ workspaceId, name, folder, tags: [], note: null, source }, by));
    } catch (thrown) {
      // Another tab or person has just saved it.
      if (!isFault(thrown, "conflict")) throw thrown;
      if (!mayReplace || attempts <= 1) throw alreadyThere();
      return this.#save(caller, path, written, attempts - 1);
    }
  }

  // Null if there is none.
  async move(
    caller: ApplicationCaller,
    from: string,
    to: string,
    { mayReplace, expected }: { readonly mayReplace: boolean; readonly expected: ExpectedVersion },
  ): Promise<UserFile | null> {
    const [source, target] = [readUserPath(from), readUserPath(to)];
    const file = await this.read(caller, from);
    if (file === null) return null;
    if (source.path === target.path) return file;
    if ((await this.read(caller, to)) !== null) {
      if (!mayReplace) throw alreadyThere();
      await this.remove(caller, to, unconditionally);
    }
    if (source.kind === "workflow" && target.kind === "workflow") {
      const workflow = await this.#named(caller, source);
      if (workflow === null) return null;
      const { folder, name } = target;
      const { workspaceId, id } = workflow;
      return fileOfWorkflow(await this.#deps.savedWorkflows.change({ workspaceId, id }, { folder, name }, expected));
    }
    const moved = await this.write(caller, {
      path: to,
      bytes: file.bytes,
      expected: unconditionally,
      mayReplace: false,
    });
    await this.remove(caller, from, expected);
    return moved;
  }

  // Whether there was one.
  async remove(caller: ApplicationCaller, given: string, expected: ExpectedVersion): Promise<boolean> {
    const path = readUserPath(given);
    if (path.kind === "file") return this.#deps.editorFiles.remove(ownerOf(caller), path.path, expected);
    const workflow = await this.#named(caller, path);
    if (workflow === null) return false;
    const { workspaceId, id } = workflow;
    await this.#deps.savedWorkflows.change({ workspaceId, id }, { isArchived: true }, expected);
    return true;
  }

  #named({ workspaceId }: ApplicationCaller, { folder, name }: { readonly folder: string; readonly name: string }) {
    return this.#deps.savedWorkflows.findNamed({ workspaceId, folder, name });
  }
}

function fileOfWorkflow(workflow: SavedWorkflow): UserFile {
  const { bytes: sizeBytes, createdAt, updatedAt, revision } = workflow;
  return { path: workflowPath(workflow), sizeBytes, createdAt, updatedAt, revision };
}

export function infoOf({ path, sizeBytes, createdAt, updatedAt }: EditorFile) {
  return { path, size: sizeBytes, modified: updatedAt.getTime(), created: createdAt.getTime() };
}

const alreadyThere = () => new Fault("conflict", "File already exists");

function isFault(thrown: unknown, code: string): boolean {
  return thrown instanceof Fault && thrown.code === code;
}
