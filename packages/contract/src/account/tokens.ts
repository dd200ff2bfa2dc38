// Derived tokens: short-lived credentials made from a key, a session or another token. A token may do only what it names,
// and never more than what it was made from.
import { type Static, Type } from "typebox";
import { PageQuery, pageOf } from "../pagination.ts";
import { Credits, entity, notBlank, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const tokenCapabilities = [
  "call_models",
  "read_models",
  "upload_assets",
  "read_assets",
  "derive_tokens",
] as const;
export type TokenCapability = (typeof tokenCapabilities)[number];

// The operations behind each capability. An operation that is not listed here is closed to tokens.
export const tokenOperations: Readonly<Record<TokenCapability, readonly string[]>> = {
  call_models: [
    "invokeModel",
    "submitModelRequest",
    "getModelRequestStatus",
    "getModelRequestResult",
    "cancelModelRequest",
    "estimateModel",
  ],
  read_models: ["listModels", "getModel", "getInputSchema", "estimateModel"],
  upload_assets: ["uploadAsset", "createUpload", "getUploadOffset", "appendToUpload", "deleteUpload"],
  read_assets: ["getAsset", "getAssetContent", "getAssetThumbnail"],
  derive_tokens: ["createIdentityToken", "listTokens", "getToken", "revokeToken"],
};

export const tokenLimits = {
  secondsMax: 24 * 3_600,
  secondsUsual: 3_600,
  // A token made from a key or session has depth 1.
  depthMax: 8,
  modelsMax: 100,
  originsMax: 20,
  addressesMax: 20,
  endUserCharactersMax: 128,
  // Tokens of a workspace that work at the same time.
  liveMax: 10_000,
} as const;

export const TokenCapability = wordOf(tokenCapabilities, {
  title: "TokenCapability",
  description:
    "What a token may do: call models and works and read its own requests; read the catalog; upload files; read files by id; make further tokens.",
});

const segment = "[a-z0-9]+([._-][a-z0-9]+)*";
const modelPattern = Type.String({
  maxLength: 193,
  pattern: `^(\\*|${segment}/\\*|${segment}/${segment})$`,
  description: "The id of a model or work, provider/* or *.",
});
const origin = Type.String({
  maxLength: 255,
  pattern: "^https?://[^/?#\\s@]+$",
  description: "The origin of pages, such as https://studio.example.",
});
const addressRange = Type.String({
  minLength: 2,
  maxLength: 49,
  pattern: "^[0-9a-fA-F:.]+(/[0-9]{1,3})?$",
  description: "An address or a range of addresses, such as 203.0.113.0/24.",
});
const endUser = Type.String({
  minLength: 1,
  maxLength: tokenLimits.endUserCharactersMax,
  pattern: "^[!-~]+$",
  description: "Your own id of the person who uses it, in visible ASCII characters.",
});

export const NewToken = entity(
  "NewToken",
  "The token to make. Each restriction is combined with those of the caller: the narrower one applies.",
  {
    capabilities: Type.Array(TokenCapability, {
      minItems: 1,
      maxItems: tokenCapabilities.length,
      description: "What it may do. Anything else is refused.",
    }),
    models: Type.Optional(
      Type.Array(modelPattern, {
        minItems: 1,
        maxItems: tokenLimits.modelsMax,
        description:
          "The models and works it may use. Required with call_models and read_models, unless the caller is a token: then absent means the caller's.",
      }),
    ),
    credits_max: Type.Optional(
      Type.String({
        pattern: "^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,6})?$",
        description:
          "What it and all tokens made from it may spend together. Required with call_models, unless the caller is a token.",
      }),
    ),
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: tokenLimits.secondsMax,
        description: "How long it works: an hour by default, and never longer than what it is made from.",
      }),
    ),
    end_user: Type.Optional(endUser),
    origins: Type.Optional(
      Type.Array(origin, {
        minItems: 1,
        maxItems: tokenLimits.originsMax,
        description:
          "Only pages of these origins may use it, and browsers let them. Absent: any program, and no page that the server does not know.",
      }),
    ),
    addresses: Type.Optional(
      Type.Array(addressRange, {
        minItems: 1,
        maxItems: tokenLimits.addressesMax,
        description: "It works only from these addresses.",
      }),
    ),
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "What it is for." }),
    ),
  },
  { additionalProperties: false },
);
export type NewToken = Static<typeof NewToken>;

const facts = {
  id: Uuid,
  hint: Type.String({ description: "The start of the token, enough to recognise it." }),
  label: nullable(Type.String(), "What it is for."),
  parent_id: nullable(Uuid, "The token or key it was made from; null for a person's session."),
  depth: Type.Integer({ minimum: 1, maximum: tokenLimits.depthMax, description: "1 if made from a key or session." }),
  capabilities: Type.Array(TokenCapability, { description: "What it may do." }),
  models: Type.Array(modelPattern, { description: "The models and works it may use." }),
  origins: nullable(
    Type.Array(origin),
    "The origins of pages that may use it, and nothing else may; null: not restricted.",
  ),
  addresses: nullable(Type.Array(addressRange), "The addresses it works from; null: any."),
  end_user: nullable(Type.String(), "Your own id of the person who uses it."),
  credits_max: nullable(Credits, "What it may spend; null if only what it was made from limits it."),
  credits_spent: Type.Unsafe<string>({ ...Credits, description: "What it and tokens made from it have spent." }),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: nullable(Timestamp, "When it was revoked; null if it was not."),
};

export const AccountToken = entity("AccountToken", "A token that was made from a key, a session or a token.", facts);
export type AccountToken = Static<typeof AccountToken>;

const { expires_at: _, ...further } = facts;

export const CreatedToken = entity(
  "CreatedToken",
  "A new token. Without a body in the request: a person's identity token for one workspace, valid for 15 minutes, with token and expires_at alone.",
  {
    token: Type.String({ description: "The token itself, for Authorization: Bearer. Shown only once." }),
    expires_at: Timestamp,
    ...Type.Partial(Type.Object(further)).properties,
  },
);
export type CreatedToken = Static<typeof CreatedToken>;

export const AccountTokenPage = pageOf(AccountToken, "AccountTokenPage", "Tokens, the newest first.");
export const AccountTokenQuery = PageQuery;
