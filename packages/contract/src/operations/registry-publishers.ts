// The registry's publishers, their members and their publishing tokens. Only members and admins see members' e-mail addresses
// (decisions, section 5).
import { Type } from "typebox";
import {
  CreatedPublisherToken,
  CreatePublisher,
  CreatePublisherMember,
  CreatePublisherToken,
  EditPermission,
  PublisherAvailability,
  PublisherList,
  PublisherToken,
  RegistryUser,
  UpdatePublisher,
} from "../node-publishing.ts";
import { Publisher, PublisherId, PublisherMember } from "../node-registry.ts";
import { operationTable } from "../operation.ts";
import { answer, emptyAnswer, genericFaults, jsonBody } from "./answers.ts";
import { memberFaults, publisherParams, writeFaults } from "./registry-parts.ts";
import { tags } from "./tags.ts";

// Operations need a key unless they say otherwise.
const common = { tag: tags.registry, access: "key" } as const;

export const registryPublisherOperations = operationTable(common, {
  getRegistryUser: {
    method: "GET",
    path: "/users",
    summary: "Read the caller as the registry knows them",
    answers: { 200: answer(RegistryUser, "The caller."), ...genericFaults(401, 404, 429, 500, 503) },
  },
  listMyPublishers: {
    method: "GET",
    path: "/users/publishers/",
    summary: "List the publishers the caller acts for",
    answers: { 200: answer(PublisherList, "The publishers."), ...genericFaults(400, 401, 429, 500, 503) },
  },
  listPublishers: {
    method: "GET",
    path: "/publishers",
    summary: "List all publishers",
    answers: {
      200: answer(PublisherList, "The publishers; e-mail addresses only where the caller is a member."),
      ...genericFaults(400, 401, 429, 500, 503),
    },
  },
  createPublisher: {
    method: "POST",
    path: "/publishers",
    summary: "Create a publisher",
    description: "One person may create five.",
    body: jsonBody(CreatePublisher),
    answers: {
      201: answer(Publisher, "The publisher, owned by the caller."),
      ...genericFaults(400, 401, 403, 409, 413, 429, 500, 503),
    },
  },
  validatePublisherId: {
    method: "GET",
    path: "/publishers/validate",
    summary: "Ask whether a publisher id is free",
    description: "400 when it is taken or malformed.",
    access: "public",
    query: Type.Object({ username: PublisherId }),
    answers: { 200: answer(PublisherAvailability, "It is free."), ...genericFaults(400, 429, 500, 503) },
  },
  getPublisher: {
    method: "GET",
    path: "/publishers/{publisherId}",
    summary: "Read a publisher",
    access: "public",
    params: publisherParams,
    answers: { 200: answer(Publisher, "The publisher."), ...genericFaults(404, 429, 500, 503) },
  },
  updatePublisher: {
    method: "PUT",
    path: "/publishers/{publisherId}",
    summary: "Update a publisher",
    params: publisherParams,
    body: jsonBody(UpdatePublisher),
    answers: { 200: answer(Publisher, "The publisher as it is now."), ...writeFaults },
  },
  deletePublisher: {
    method: "DELETE",
    path: "/publishers/{publisherId}",
    summary: "Delete a publisher",
    params: publisherParams,
    answers: { 204: emptyAnswer("It is gone."), ...memberFaults, ...genericFaults(409) },
  },
  getPublisherPermissions: {
    method: "GET",
    path: "/publishers/{publisherId}/permissions",
    summary: "Ask what the caller may do to a publisher",
    params: publisherParams,
    answers: { 200: answer(EditPermission, "What the caller may do."), ...genericFaults(400, 401, 404, 429, 500, 503) },
  },
  listPublisherMembers: {
    method: "GET",
    path: "/publishers/{publisherId}/members",
    summary: "List the members of a publisher",
    params: publisherParams,
    answers: { 200: answer(Type.Array(PublisherMember), "The members."), ...memberFaults },
  },
  createPublisherMember: {
    method: "POST",
    path: "/publishers/{publisherId}/members",
    summary: "Add a member to a publisher",
    params: publisherParams,
    body: jsonBody(CreatePublisherMember),
    answers: { 201: answer(PublisherMember, "The member."), ...writeFaults, ...genericFaults(409) },
  },
  deletePublisherMember: {
    method: "DELETE",
    path: "/publishers/{publisherId}/members/{memberId}",
    summary: "Remove a member from a publisher",
    description: "The last owner cannot be removed.",
    params: Type.Object({
      publisherId: PublisherId,
      memberId: Type.String({ minLength: 1, description: "The membership." }),
    }),
    answers: { 204: emptyAnswer("They are a member no more."), ...memberFaults, ...genericFaults(409) },
  },
  createPublisherToken: {
    method: "POST",
    path: "/publishers/{publisherId}/tokens",
    summary: "Make a token for publishing",
    params: publisherParams,
    body: jsonBody(CreatePublisherToken),
    answers: {
      201: answer(CreatedPublisherToken, "The token, shown this one time."),
      ...writeFaults,
      ...genericFaults(409),
    },
  },
  listPublisherTokens: {
    method: "GET",
    path: "/publishers/{publisherId}/tokens",
    summary: "List the publishing tokens",
    params: publisherParams,
    answers: { 200: answer(Type.Array(PublisherToken), "The tokens, masked."), ...memberFaults },
  },
  deletePublisherToken: {
    method: "DELETE",
    path: "/publishers/{publisherId}/tokens/{tokenId}",
    summary: "Revoke a publishing token",
    params: Type.Object({
      publisherId: PublisherId,
      tokenId: Type.String({ format: "uuid", minLength: 1, description: "The token's id." }),
    }),
    answers: { 204: emptyAnswer("It works no more."), ...memberFaults },
  },
});
