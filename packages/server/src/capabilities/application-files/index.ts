export {
  type ApplicationFiles,
  type ApplicationFilesDeps,
  createApplicationFiles,
  type OpenedFile,
} from "./application-files.ts";
