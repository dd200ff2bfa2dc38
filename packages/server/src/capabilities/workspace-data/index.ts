export { countOpen, deleteWorkspace } from "./delete-workspace.ts";
export { type ErasePersonDeps, erasePerson, type PersonErasure } from "./erase-person.ts";
export { type ExportedPersonData, exportPerson } from "./export-person.ts";
export { exportSigner, parseFingerprint } from "./export-signature.ts";
export { exportWorkspace } from "./export-workspace.ts";
export { type Imported, type ImportRequest, importWorkspace } from "./import-workspace.ts";
export { writeExport } from "./write-export.ts";
