// People and service accounts, and the workspaces they belong to.
import type { RoleOnInstallation } from "@atelier/contract";
import type { PersonId, ServiceAccountId, WorkspaceId } from "../../../foundation/ids.ts";
import type { Role } from "../principal.ts";

export interface Person {
  readonly id: PersonId;
  readonly name: string;
  readonly email: string | null;
  readonly createdAt: Date;
}

export interface Member {
  // Without the e-mail address if the person was added to the workspace and has not accepted yet.
  readonly person: Person;
  readonly role: Role;
  readonly joinedAt: Date;
  readonly hasSignedIn: boolean;
}

export interface Membership {
  readonly workspaceId: WorkspaceId;
  readonly workspaceName: string;
  readonly workspaceCreatedAt: Date;
  readonly role: Role;
}

export interface KnownPerson extends Person {
  // On the installation.
  readonly role: RoleOnInstallation | null;
}

// A program under a name of its own.
export interface ServiceAccount {
  readonly id: ServiceAccountId;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly role: Role;
  readonly createdBy: PersonId | null;
  readonly createdAt: Date;
}
