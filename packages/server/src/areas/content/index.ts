export { content } from "./content-area.ts";
