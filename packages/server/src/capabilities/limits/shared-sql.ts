// SQL of this module that other capabilities run in their transactions or embed in their statements. No area sees it.
export { limitHoldings } from "./limit-holdings-store.ts";
