// Works: saved workflows that were published, with a name, a form and versions that never change. They are called like models.
export {
  type CallableWork,
  type PublishedVersion,
  type PublishedWork,
  readWorkReference,
  type Visibility,
  versionId,
  type WorkLocator,
  workPrefix,
} from "./publishing/published-work.ts";
