// What workers that fill their folders ask the server: the lock, the pieces of a weight, its bytes, and who else has it.
import { Type } from "typebox";
import { operationTable } from "../../operation.ts";
import { EnvironmentWithLock } from "../../operators/environments.ts";
import { FillNeighbours, ReportFill, WeightPieces } from "../../operators/weights.ts";
import { Uuid } from "../../wire-values.ts";
import { answer, genericFault, genericFaults, jsonBody, rawAnswer } from "../answers.ts";
import { tags } from "../tags.ts";

const params = Type.Object({ workerId: Uuid });
const ofWeight = Type.Object({
  workerId: Uuid,
  blake3: Type.String({ pattern: "^[0-9a-f]{64}$", description: "The BLAKE3 hash of its bytes." }),
});
const common = { tag: tags.workers, access: "worker", refusals: genericFault } as const;
const digits = (description: string) => Type.String({ pattern: "^[0-9]{1,15}$", description });

export const workerWeightOperations = operationTable(common, {
  reportFill: {
    method: "PUT",
    path: "/api/workers/{workerId}/fill",
    summary: "Report how far a fill is",
    description:
      "The id stays bound to the token that first used it. Only workers of the same pool learn of each other.",
    params,
    body: jsonBody(ReportFill),
    answers: { 200: answer(FillNeighbours, "Neighbours to fetch from."), ...genericFaults(409) },
  },
  getWeightPieces: {
    method: "GET",
    path: "/api/workers/{workerId}/weights/{blake3}",
    summary: "Read the hashes of a weight's pieces",
    params: ofWeight,
    query: Type.Object({
      machine: Type.Optional(
        Type.String({
          pattern: "^[0-9a-f]{64}$",
          description: "The mark of the caller's machine. If the server runs there too, it says where the file is.",
        }),
      ),
    }),
    answers: { 200: answer(WeightPieces, "The pieces.") },
  },
  readWeight: {
    method: "GET",
    path: "/api/workers/{workerId}/weights/{blake3}/content",
    summary: "Download part of a weight",
    params: ofWeight,
    query: Type.Object({ from: digits("The first byte."), bytes: digits("How many bytes, at most 64 MiB.") }),
    answers: { 200: rawAnswer("application/octet-stream", "The bytes.") },
  },
  getWorkerLock: {
    method: "GET",
    path: "/api/workers/{workerId}/environments/{environment}",
    summary: "Read an environment to fill a folder from",
    params: Type.Object({
      workerId: Uuid,
      environment: Type.String({
        minLength: 1,
        maxLength: 100,
        description: "Its id, or its name for the newest version.",
      }),
    }),
    answers: { 200: answer(EnvironmentWithLock, "The environment."), ...genericFaults(400) },
  },
});
