export { createErrorAnswers, type ErrorAnswers, errorAnswerBounds } from "./error-answers.ts";
export type { ErrorFilter, StoredError } from "./stored-error.ts";
