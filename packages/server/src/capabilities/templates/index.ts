// Workflows to start from: the operator's folder, and public templates that the operator installed.
export { installTemplates } from "./install-templates.ts";
export { installedFolder, openTemplates, type Template, type Templates, templateFolders } from "./open-templates.ts";
export { readIndex } from "./template-index.ts";
export { needsOf, type ServedHere, servedHere } from "./template-needs.ts";
export { downloadWheels, templatesPackage } from "./template-wheels.ts";
