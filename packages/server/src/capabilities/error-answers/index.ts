export { createErrorAnswers, type ErrorAnswers, errorAnswerBounds } from "./error-answers.ts";
export { errorAnswerHoldings } from "./error-answers-holdings-store.ts";
export type { StoredError } from "./error-answers-store.ts";
