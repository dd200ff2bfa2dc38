export { createErrorAnswers, type ErrorAnswers, errorAnswerBounds } from "./error-answers.ts";
export type { StoredError } from "./stored-error.ts";
