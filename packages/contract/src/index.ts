export type { Access, AnswerShape, BodyShape, Method, Operation } from "./operation.ts";
