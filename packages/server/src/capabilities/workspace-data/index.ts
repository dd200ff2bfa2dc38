export { countOpen, deleteWorkspace } from "./delete-workspace.ts";
export { type ErasedCounts, type ErasePersonDeps, erasePerson, type PersonErasure } from "./erase-person.ts";
export { type ExportedPersonData, exportPerson } from "./export-person.ts";
export { exportWorkspace } from "./export-workspace.ts";
