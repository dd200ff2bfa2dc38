// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { assetHoldings } from "./asset-holdings-store.ts";
export {
  assetFacts,
  assetHoldFacts,
  deleteHeld as releaseHeld,
  deleteManyHolds as releaseHolders,
  heldFiles,
} from "./hold-store.ts";
export { countOldFiles, expireFiles, findOldFiles } from "./old-files-store.ts";
export { uploadInvariants } from "./uploads/upload-part-store.ts";
export { sumStored } from "./usage-store.ts";
