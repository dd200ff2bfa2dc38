// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { editorFileHoldings, editorFilePersonHoldings } from "./editor-files-holdings-store.ts";
