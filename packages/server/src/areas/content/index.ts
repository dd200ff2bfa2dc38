export { type ArchiveTransfers, content } from "./content-area.ts";
