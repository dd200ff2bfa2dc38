// The engine's entrance. Nothing behind it loads the picture codec; the children do that when they first need it.
export {
  type ApplicationProfile,
  applicationProfiles,
  applicationVersions,
  defaultProfile,
} from "./application-profile.ts";
export {
  assemble,
  assembleOne,
  encodings,
  MediaSlot,
  type NodeValues,
  namesIn,
  operatorNames,
  operatorOf,
  possibleCalls,
} from "./declared/assemble.ts";
export { chosenInputs } from "./declared/chosen-inputs.ts";
export { builtInSet, type ClassSet, classSet } from "./declared/class-set.ts";
export {
  type Conditions,
  type DeclaredCall,
  type DeclaredOutput,
  declaredOutputTypes,
  type LazyDeclaration,
  type NodeDeclaration,
} from "./declared/declaration.ts";
export { describeDeclared } from "./declared/describe-declared.ts";
export { foundAt } from "./declared/found-at.ts";
export type {
  AssetContent,
  EngineEvent,
  EngineHost,
  EngineLimits,
  EngineOutput,
  EnginePool,
  EngineResult,
  OutputFolder,
} from "./engine-host.ts";
export { openEnginePool } from "./engine-pool.ts";
export { findTool } from "./files/ffmpeg.ts";
export { applicationGraph } from "./graph/application-graph.ts";
export { builtInClasses, builtInClassesOf } from "./graph/built-in-classes.ts";
export { builtInEditorClasses, builtInEditorClassesOf, editorClassesOf } from "./graph/built-in-editor-classes.ts";
export { conversionOf, convertUiGraph } from "./graph/convert-ui-graph.ts";
export { describeClasses } from "./graph/describe-classes.ts";
export { type EditorClass, type EditorClasses, readEditorClass } from "./graph/editor-class.ts";
export { type ForeseenInputs, foreseeInputs } from "./graph/foresee-inputs.ts";
export { type FileReference, fileReferenceOf, type Graph } from "./graph/graph.ts";
export type { GraphProblem, GraphVerdict, NodeProblems } from "./graph/graph-problem.ts";
export type {
  ClassDescriptions,
  InputDescription,
  NodeClassDescription,
  OutputDescription,
} from "./graph/node-class.ts";
export { isUiGraph } from "./graph/ui-graph.ts";
export { validateGraph } from "./graph/validate-graph.ts";
export { notInList } from "./graph/validate-input.ts";
export { type WidgetTarget, type WidgetTargets, widgetTargets, widgetTargetsOf } from "./graph/widget-targets.ts";
export { HostRefusal } from "./host-calls.ts";
export { listItemsMax } from "./pictures/picture.ts";
