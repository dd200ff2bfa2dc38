// The child process in which pictures are decoded: see thumbnails.ts.
import { serveTasks } from "../../../foundation/threads/child-entry.ts";
import { type MadeThumbnail, makeThumbnail, restrictDecoders, type ThumbnailTask } from "./make-thumbnail.ts";

restrictDecoders();
serveTasks<ThumbnailTask, MadeThumbnail>(makeThumbnail);
