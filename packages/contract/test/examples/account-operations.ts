import { type Example, laterTime, time, uuid } from "./example.ts";

const key = {
  id: uuid,
  name: "ci",
  hint: "service-0198",
  scopes: ["models", "workflows"],
  role: "member",
  created_by: null,
  created_at: time,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
};
const serviceAccount = { id: uuid, name: "nightly", role: "member", created_by: null, created_at: time };
const derived = {
  id: uuid,
  hint: "service-token_0198abcd",
  label: null,
  parent_id: uuid,
  depth: 1,
  capabilities: ["call_models"],
  models: ["sandbox/image-1"],
  origins: null,
  addresses: null,
  end_user: null,
  credits_max: "5",
  credits_spent: "0.25",
  created_at: time,
  expires_at: laterTime,
  revoked_at: null,
};
const budget = {
  name: "spring",
  scope: "tag",
  subject: "project=spring",
  period: "month",
  amount: "500",
  at_limit: "stop",
  webhook_url: "https://hooks.example.com/atelier",
  emails: ["money@example.com"],
  period_start: "2026-01-01",
  spent: "401.25",
  held: "2",
  alerted: 80,
  created_at: time,
};
const budgetAlert = {
  ...{ sequence: 2, threshold: 80, period_start: "2026-01-01", amount: "500", spent: "400", held: "1", at: time },
};
const modelLimits = { model: "sandbox/image-1", calls_per_minute: 60, concurrency: 4 };
const spendingAlert = {
  ...{ hour: time, spent: "900", average: "12.5", highest: "40", weeks: 8, sequence: 1, at: laterTime },
};
const sentMail = {
  ...{
    id: uuid,
    type: "budget.threshold",
    to: "money@example.com",
    subject: "Budget spring: 80 % reached",
    status: "sent",
  },
  ...{ attempts: 1, last_answer: "250 2.0.0 Ok", next_attempt_at: null, created_at: time, sent_at: laterTime },
};
const workspace = { id: uuid, name: "Studio", role: "owner", created_at: time };
const person = { id: uuid, name: "Ada", email: null };
const session = { id: uuid, created_at: time, expires_at: laterTime };
const listedSession = {
  ...session,
  last_seen_at: time,
  user_agent: "Mozilla/5.0",
  address: "127.0.0.1",
  signed_in_by: "link",
  is_current: true,
};
const member = { ...person, role: "owner", joined_at: time };
const token = { id: uuid, name: "on-call", created_at: time, expires_at: null, last_used_at: time, revoked_at: null };
const audit = {
  id: uuid,
  at: time,
  actor: { kind: "person", id: uuid },
  action: "key.create",
  subject: { kind: "key", id: uuid },
  workspace_id: uuid,
  before: null,
  after: { name: "ci" },
  request_id: uuid,
};
const limit = {
  name: "concurrencyPerWorkspace",
  kind: "concurrency",
  value: 200,
  default: 20,
  overridden: true,
  description: "Model calls in flight.",
};

const board = { name: "Été", tag: "board:%C3%89t%C3%A9", assets: 2, cover_asset_id: uuid };

export const accountOperationExamples: Record<string, Example> = {
  GalleryBoard: { good: board, broken: { name: 1, assets: -1, cover_asset_id: "7" } },
  Gallery: {
    good: {
      assets: 3,
      size_bytes: 1024,
      boards: [board],
      expiring: { assets: 1, first_at: time, before: laterTime },
    },
    broken: { assets: -1, "boards.0.tag": 1, "expiring.before": "soon" },
  },
  AssetNote: { good: { text: "", updated_at: null }, broken: { text: 1, updated_at: "yesterday" } },
  SetAssetNote: { good: { text: "Warmer light." }, broken: { text: 7 } },
  KeyScope: { good: "registry", broken: { "": "everything" } },
  MemberRole: { good: "owner", broken: { "": "operator" } },
  AccountKey: { good: key, broken: { scopes: ["all"], role: undefined, created_by: "Ada" } },
  CreatedAccountKey: { good: { ...key, secret: "service-0198-x" }, broken: { secret: undefined } },
  AccountKeyList: { good: { data: [key] }, broken: { data: key } },
  PersonalData: {
    good: {
      ...{ profile: [{ id: uuid, name: "Ada" }], memberships: [], keys: [], sessions: [], requests: [], jobs: [] },
      ...{ audit: [], cut: [] },
    },
    broken: { profile: undefined, cut: [1] },
  },
  ErasedPerson: { good: { erased: { sessions: 2 } }, broken: { erased: { sessions: -1 } } },
  ServiceAccount: { good: serviceAccount, broken: { role: "robot", name: undefined } },
  ServiceAccountList: { good: { data: [serviceAccount] }, broken: { "data.0.id": "x" } },
  CreateServiceAccount: { good: { name: "nightly", role: "viewer" }, broken: { name: "", role: "operator" } },
  RemovedServiceAccount: { good: { revoked_keys: [uuid] }, broken: { revoked_keys: ["1"] } },
  RotateKey: { good: { overlap_seconds: 3_600 }, broken: { overlap_seconds: -1 } },
  UpdateKey: { good: { name: "ci, website" }, broken: { name: " " } },
  CreateKey: { good: { name: "ci", scopes: ["account"], expires_at: laterTime }, broken: { name: "", scopes: [] } },
  AccountPerson: { good: person, broken: { email: undefined } },
  Account: {
    good: { workspace, role: "owner", scopes: ["models"], person, is_operator: true, session },
    broken: { workspace: undefined, role: "x", is_operator: undefined, "session.id": undefined },
  },
  AccountSession: { good: listedSession, broken: { signed_in_by: "password", is_current: undefined, id: "1" } },
  AccountSessionList: { good: { data: [listedSession] }, broken: { data: listedSession } },
  EndedSessions: { good: { ended: 2 }, broken: { ended: -1 } },
  ChooseWorkspace: { good: { workspace_id: uuid }, broken: { workspace_id: "Studio" } },
  SignInLook: { good: { person: { name: "Ada" }, expires_at: laterTime }, broken: { "person.name": undefined } },
  WorkspaceList: { good: { data: [workspace] }, broken: { "data.0.id": "1" } },
  NameWorkspace: { good: { name: "Studio" }, broken: { name: undefined } },
  AccountMember: { good: member, broken: { joined_at: undefined, role: "operator" } },
  AccountMemberList: { good: { data: [member] }, broken: { data: undefined } },
  AddMember: {
    good: { name: "Bob", email: "bob@example.org", role: "member" },
    broken: { name: undefined, role: "guest" },
  },
  AddedMember: {
    good: { ...member, sign_in: { url: "http://127.0.0.1:8080/sign-in/x", expires_at: laterTime } },
    broken: { "sign_in.url": undefined, id: undefined },
  },
  InviteAgain: { good: { link_hours: 24 }, broken: { link_hours: 0 } },
  SignInLink: {
    good: { url: "http://127.0.0.1:8080/sign-in/x", expires_at: laterTime },
    broken: { url: undefined, expires_at: "soon" },
  },
  UpdateMember: { good: { role: "owner" }, broken: { role: "operator" } },
  RemovedMember: { good: { revoked_keys: [uuid] }, broken: { revoked_keys: ["1"] } },
  TokenCapability: { good: "call_models", broken: { "": "everything" } },
  NewToken: {
    good: {
      capabilities: ["call_models"],
      models: ["sandbox/image-1", "studio/*"],
      credits_max: "2.5",
      expires_in_seconds: 600,
      end_user: "user-7",
      origins: ["https://studio.example"],
      addresses: ["203.0.113.0/24", "2001:db8::/32"],
      label: "shop window",
    },
    broken: {
      capabilities: [],
      "models.0": "image-1",
      credits_max: "-1",
      expires_in_seconds: 86_401,
      end_user: "",
      "origins.0": "https://studio.example/page",
      "addresses.0": "here",
    },
  },
  PutBudget: {
    good: {
      scope: "tag",
      subject: "project=spring",
      period: "month",
      amount: "500",
      at_limit: "warn",
      webhook_url: null,
      emails: ["money@example.com"],
    },
    broken: {
      ...{ scope: "team", subject: "", period: "year", amount: "-1", at_limit: "ask" },
      emails: ["Ada <ada@example.com>"],
    },
  },
  AlertSettings: {
    good: {
      sends_mail: true,
      mail_wanted: null,
      odd_spending: { watched: true, at_least: "200", alerts: [spendingAlert] },
    },
    broken: { sends_mail: "yes", "odd_spending.at_least": 200 },
  },
  SpendingAlert: { good: spendingAlert, broken: { weeks: 3, sequence: 0, spent: 900 } },
  SpendingNotification: { good: { ...spendingAlert, type: "spending.odd" }, broken: { type: "budget.threshold" } },
  SetOddSpending: { good: { watched: true, at_least: "500" }, broken: { watched: "no", at_least: "-1" } },
  SetCallLimits: {
    good: { calls_per_minute: 60, concurrency: null },
    broken: { calls_per_minute: 0, concurrency: undefined },
  },
  KeyLimits: {
    good: { key_id: uuid, calls_per_minute: null, concurrency: 2, in_flight: 1 },
    broken: { key_id: "1", in_flight: -1 },
  },
  ModelLimits: { good: modelLimits, broken: { model: "one", concurrency: "2" } },
  ModelLimitsList: { good: { data: [modelLimits] }, broken: { "data.0.model": undefined } },
  SetAlertMail: { good: { wanted: false }, broken: { wanted: undefined } },
  SentMail: { good: sentMail, broken: { status: "lost", attempts: -1 } },
  SentMailList: { good: { data: [sentMail] }, broken: { "data.0.to": undefined } },
  TestMail: { good: { to: "ada@example.com" }, broken: { to: "ada@example.com\nBcc: eve@example.com" } },
  TestedMail: { good: { status: "accepted", answer: "250 2.0.0 Ok" }, broken: { status: "maybe" } },
  BudgetAlert: { good: budgetAlert, broken: { threshold: 0, sequence: 0, period_start: "January" } },
  Budget: { good: { ...budget, alerts: [budgetAlert] }, broken: { scope: "team", spent: "x", alerted: 101 } },
  BudgetList: { good: { data: [budget] }, broken: { "data.0.name": "No" } },
  AccountToken: { good: derived, broken: { capabilities: ["all"], depth: 0, expires_at: undefined } },
  CreatedToken: { good: { ...derived, token: "service-token_x" }, broken: { token: undefined, depth: 9 } },
  AccountTokenPage: { good: { data: [derived], has_more: false, limit: 20 }, broken: { "data.0.id": "1" } },
  AccountQueue: {
    good: { paused: true, paused_at: time, queued: 3, running: 1 },
    broken: { paused: "yes", paused_at: undefined, queued: -1 },
  },
  SetAccountQueue: { good: { paused: false }, broken: { paused: undefined } },
  KeySet: { good: { keys: [{ kty: "OKP" }] }, broken: { keys: ["x"] } },
  EmptyBody: { good: {}, broken: { "": 7 } },
  PlainForm: { good: { csrf: "x" }, broken: { csrf: undefined } },
  AdminPerson: { good: { ...person, is_operator: true, created_at: time }, broken: { is_operator: undefined } },
  AdminPersonPage: {
    good: { data: [{ ...person, is_operator: false, created_at: time }], has_more: false, limit: 20 },
    broken: { "data.0.name": undefined },
  },
  InstallationRole: { good: "auditor", broken: { "": "owner" } },
  SetInstallationRole: { good: { role: null }, broken: { role: "owner" } },
  SetOperator: { good: { is_operator: false }, broken: { is_operator: "yes" } },
  AdminToken: { good: token, broken: { created_at: undefined, name: 1 } },
  CreatedAdminToken: { good: { ...token, secret: "admin-x" }, broken: { secret: "service-x" } },
  CreateAdminToken: { good: { name: "on-call" }, broken: { name: "" } },
  AdminTokenList: { good: { data: [token] }, broken: { "data.0.name": undefined } },
  AuditPage: { good: { data: [audit], has_more: false, limit: 20 }, broken: { "data.0.action": "", limit: 0 } },
  AdminWorkspace: { good: { id: uuid, name: "Studio", created_at: time }, broken: { name: "" } },
  AdminWorkspacePage: {
    good: { data: [{ id: uuid, name: "Studio", created_at: time }], has_more: false, limit: 20 },
    broken: { has_more: "no" },
  },
  CreateWorkspaceAsAdmin: { good: { name: "Studio", owner_id: uuid }, broken: { owner_id: "Ada" } },
  WorkspaceLimit: { good: limit, broken: { kind: "size?", value: -1, overridden: undefined } },
  WorkspaceLimitList: { good: { data: [limit] }, broken: { "data.0.default": undefined } },
  SetWorkspaceLimit: { good: { value: 0, reason: "benchmark" }, broken: { value: 1.5, reason: "x".repeat(501) } },
};
