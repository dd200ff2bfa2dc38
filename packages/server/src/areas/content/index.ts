export { type ArchiveDoor, content } from "./content-area.ts";
