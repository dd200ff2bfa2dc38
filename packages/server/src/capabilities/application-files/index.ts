export { type ApplicationFiles, createApplicationFiles } from "./application-files.ts";
