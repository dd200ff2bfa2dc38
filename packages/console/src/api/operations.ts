export * as operations from "./generated/operations.ts";
