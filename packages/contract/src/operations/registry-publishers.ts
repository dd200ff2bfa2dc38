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
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody } from "./answers.ts";
import { publisherParams } from "./registry-parts.ts";
import { tags } from "./tags.ts";

// Operations need a key unless they say otherwise.
const common = { tag: tags.registry, access: "key", refusals: genericFault } as const;

export const registryPublisherOperations = operationTable(common, {
  getRegistryUser: {
    method: "GET",
    path: "/users",
    summary: "Get the caller's registry account",
    answers: { 200: answer(RegistryUser, "The caller."), ...genericFaults(404) },
    notRefusedWith: [403],
  },
  listMyPublishers: {
    method: "GET",
    path: "/users/publishers/",
    summary: "List the caller's publishers",
    answers: { 200: answer(PublisherList, "The publishers."), ...genericFaults(400) },
    notRefusedWith: [403],
  },
  listPublishers: {
    method: "GET",
    path: "/publishers",
    summary: "List all publishers",
    answers: {
      200: answer(PublisherList, "The publishers. E-mail addresses are only shown to members."),
      ...genericFaults(400),
    },
    notRefusedWith: [403],
  },
  createPublisher: {
    method: "POST",
    path: "/publishers",
    summary: "Create a publisher",
    description: "Each person can create up to five.",
    body: jsonBody(CreatePublisher),
    answers: { 201: answer(Publisher, "The publisher, owned by the caller."), ...genericFaults(409) },
  },
  validatePublisherId: {
    method: "GET",
    path: "/publishers/validate",
    summary: "Check whether a publisher id is free",
    description: "Returns 400 if the id is taken or malformed.",
    access: "public",
    query: Type.Object({ username: PublisherId }),
    answers: { 200: answer(PublisherAvailability, "The id is free.") },
  },
  getPublisher: {
    method: "GET",
    path: "/publishers/{publisherId}",
    summary: "Read a publisher",
    access: "public",
    params: publisherParams,
    answers: { 200: answer(Publisher, "The publisher.") },
  },
  updatePublisher: {
    method: "PUT",
    path: "/publishers/{publisherId}",
    summary: "Update a publisher",
    params: publisherParams,
    body: jsonBody(UpdatePublisher),
    answers: { 200: answer(Publisher, "The updated publisher.") },
  },
  deletePublisher: {
    method: "DELETE",
    path: "/publishers/{publisherId}",
    summary: "Delete a publisher",
    params: publisherParams,
    answers: { 204: emptyAnswer("Deleted."), ...genericFaults(409) },
  },
  getPublisherPermissions: {
    method: "GET",
    path: "/publishers/{publisherId}/permissions",
    summary: "Get the caller's permissions on a publisher",
    params: publisherParams,
    answers: { 200: answer(EditPermission, "The caller's permissions."), ...genericFaults(400) },
    notRefusedWith: [403],
  },
  listPublisherMembers: {
    method: "GET",
    path: "/publishers/{publisherId}/members",
    summary: "List the members of a publisher",
    params: publisherParams,
    answers: { 200: answer(Type.Array(PublisherMember), "The members.") },
  },
  createPublisherMember: {
    method: "POST",
    path: "/publishers/{publisherId}/members",
    summary: "Add a member to a publisher",
    params: publisherParams,
    body: jsonBody(CreatePublisherMember),
    answers: { 201: answer(PublisherMember, "The member."), ...genericFaults(409) },
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
    answers: { 204: emptyAnswer("Removed."), ...genericFaults(409) },
  },
  createPublisherToken: {
    method: "POST",
    path: "/publishers/{publisherId}/tokens",
    summary: "Create a publishing token",
    params: publisherParams,
    body: jsonBody(CreatePublisherToken),
    answers: { 201: answer(CreatedPublisherToken, "The token, shown only once."), ...genericFaults(409) },
  },
  listPublisherTokens: {
    method: "GET",
    path: "/publishers/{publisherId}/tokens",
    summary: "List publishing tokens",
    params: publisherParams,
    answers: { 200: answer(Type.Array(PublisherToken), "The tokens, masked.") },
  },
  deletePublisherToken: {
    method: "DELETE",
    path: "/publishers/{publisherId}/tokens/{tokenId}",
    summary: "Revoke a publishing token",
    params: Type.Object({
      publisherId: PublisherId,
      tokenId: Type.String({ format: "uuid", minLength: 1, description: "The token's id." }),
    }),
    answers: { 204: emptyAnswer("Revoked.") },
  },
});
