// Whether the programs that jobs need are installed.
import { findTool } from "@atelier/engine";
import { type Finding, warning, well } from "../../foundation/looks/finding.ts";

export function lookAtTools(find: typeof findTool = findTool): Finding {
  const missing = (["ffmpeg", "ffprobe"] as const).filter((tool) => find(tool) === null);
  if (missing.length === 0) return well("ffmpeg", "installed");
  return warning(
    "ffmpeg",
    `${missing.join(" and ")} not found: jobs that read or write videos or compressed audio fail`,
    "apt-get install -y ffmpeg (brew install ffmpeg); no restart is needed",
  );
}
