// The publishers part of the registry: publishers, their members and tokens. Each method checks the caller's permission
// itself.
import { type EditPermission, type Publisher, reservedPublisherIds } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import type { Principal } from "../../identity/index.ts";
import type { Asked, Sent } from "../readers/actor.ts";
import { type Reader, readerOf } from "../readers/reader.ts";
import { addPublisherMember, type MemberDeps, membersOf, removePublisherMember } from "./change-members.ts";
import { changePublisher, createPublisher, deletePublisher } from "./change-publisher.ts";
import { createPublisherToken, endPublisherToken, tokensOf } from "./change-tokens.ts";
import { presentPublisher, presentPublishers } from "./present-publisher.ts";
import { accessAt, isPublisherId, requireReadablePublisher } from "./publisher-authority.ts";
import { isPublisherIdTaken, listOwnPublishers, listPublishers } from "./publisher-store.ts";

export type Publishers = ReturnType<typeof createPublishers>;

export function createPublishers(deps: MemberDeps) {
  const { database } = deps;
  const presentAll = async (caller: Principal, list: typeof listPublishers) => {
    const reader = readerOf(caller);
    return presentPublishers(database, await list(database, reader), reader);
  };
  return {
    async requireFree(id: string): Promise<void> {
      if (reservedPublisherIds.some((word) => word === id)) throw refusedId("This publisher id is a reserved word.");
      if (!isPublisherId(id)) {
        throw refusedId(
          "A publisher id must start with a letter and contain only lower-case letters, digits and hyphens.",
        );
      }
      if (await isPublisherIdTaken(database, id)) throw refusedId("This publisher id is taken.");
    },
    async find(id: string, reader: Reader): Promise<Publisher> {
      return presentPublisher(database, await requireReadablePublisher(database, id, reader), reader);
    },
    // All that the caller may see.
    list: (caller: Principal) => presentAll(caller, listPublishers),
    listOwn: (caller: Principal) => presentAll(caller, listOwnPublishers),
    async permission(id: string, { caller }: Pick<Asked, "caller">): Promise<EditPermission> {
      const { publisher, role } = await accessAt(database, caller, id);
      return { canEdit: role !== null && publisher.status === "PublisherStatusActive" };
    },
    create: (sent: Sent) => createPublisher(deps, sent),
    update: (id: string, sent: Sent) => changePublisher(deps, id, sent),
    delete: (id: string, asked: Asked) => deletePublisher(deps, id, asked),
    members: (id: string, asked: Asked) => membersOf(deps, id, asked),
    addMember: (id: string, sent: Sent) => addPublisherMember(deps, id, sent),
    removeMember: (id: string, memberId: string, asked: Asked) => removePublisherMember(deps, id, memberId, asked),
    tokens: (id: string, asked: Asked) => tokensOf(deps, id, asked),
    createToken: (id: string, sent: Sent) => createPublisherToken(deps, id, sent),
    endToken: (id: string, tokenId: string, asked: Asked) => endPublisherToken(deps, id, tokenId, asked),
  };
}

const refusedId = (message: string) => new Fault("invalid_request", message);
