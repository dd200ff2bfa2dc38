-- Selling credits: what a payment provider told us, and what we did because of it. What must always hold: a payment adds credits at
-- most once (payments.granted_at and its line in the journal are one transaction), a paid period of a subscription counts for one
-- payment (payment_periods), and what was taken back or expired is never more than what was added.
create table payment_plans (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('subscription', 'once')),
  credits bigint not null check (credits > 0),
  price_minor bigint not null check (price_minor >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  provider text not null,
  price_id text not null,
  -- Whether credits that a period leaves over stay when the next one begins.
  rolls_over boolean not null,
  checkout_url text,
  created_at timestamptz not null,
  retired_at timestamptz,
  unique (provider, price_id)
);

-- Every event, by the provider's id for it, stored before it is answered. The body is kept until 90 days after it was applied.
create table payment_events (
  provider text not null,
  event_id text not null,
  type text not null,
  made_at timestamptz not null,
  received_at timestamptz not null,
  state text not null check (state in ('stored', 'applied', 'ignored')),
  -- Why it waits, was ignored or could not be applied yet.
  note text,
  attempts integer not null default 0,
  due_at timestamptz,
  body jsonb,
  primary key (provider, event_id)
);
create index payment_events_newest on payment_events (received_at desc, event_id desc);
create index payment_events_due on payment_events (due_at) where state = 'stored';

-- The newest state of each of the provider's objects, whatever order its events came in: a higher version replaces a lower one.
create table payment_objects (
  provider text not null,
  object_id text not null,
  kind text not null check (kind in ('invoice', 'checkout', 'subscription', 'charge', 'dispute', 'invoice_payment', 'customer')),
  version bigint not null,
  customer text,
  subscription text,
  invoice text,
  payment_intent text,
  charge text,
  -- The workspace that the object names.
  claims uuid,
  facts jsonb not null,
  primary key (provider, object_id)
);
create index payment_objects_of_customer on payment_objects (provider, customer) where customer is not null;
create index payment_objects_of_subscription on payment_objects (provider, subscription) where subscription is not null;
create index payment_objects_of_invoice on payment_objects (provider, invoice) where invoice is not null;
create index payment_objects_of_intent on payment_objects (provider, payment_intent) where payment_intent is not null;
create index payment_objects_of_charge on payment_objects (provider, charge) where charge is not null;

-- A paid invoice, or a paid checkout without one, and the credits that it brought. The journal names only workspaces; so does this
-- table, and its lines survive the workspace like the journal's.
create table payments (
  id uuid primary key,
  provider text not null,
  -- The provider's invoice, or the payment itself.
  reference text not null,
  workspace_id uuid,
  customer text,
  subscription text,
  -- As the provider's invoice names the customer.
  email text,
  plan_id uuid references payment_plans (id),
  paid_at timestamptz not null,
  amount_minor bigint not null,
  refunded_minor bigint not null default 0,
  currency text not null,
  document jsonb not null,
  -- Null until credits were added.
  granted_at timestamptz,
  credits bigint not null default 0 check (credits >= 0),
  taken_back bigint not null default 0 check (taken_back >= 0),
  expired bigint not null default 0 check (expired >= 0),
  -- Should have been taken back, but was spent: taken from what the workspace gets next.
  owed bigint not null default 0 check (owed >= 0),
  period_from timestamptz,
  -- With a plan that does not roll over: what is left then ends.
  expires_at timestamptz,
  ended_at timestamptz,
  unique (provider, reference),
  check (taken_back + expired <= credits),
  check (granted_at is null or workspace_id is not null)
);
create index payments_of_workspace on payments (workspace_id, paid_at desc, id desc);
create index payments_waiting on payments (paid_at desc) where granted_at is null;
create index payments_owing on payments (workspace_id) where owed > 0;
create index payments_expiring on payments (expires_at) where expires_at is not null and ended_at is null;

-- Every move of credits because of a payment. The journal has the same line under the same id.
create table payment_moves (
  transaction_id uuid primary key,
  payment_id uuid not null references payments (id),
  kind text not null check (kind in ('grant', 'take_back', 'give_back', 'expire')),
  amount bigint not null check (amount > 0),
  at timestamptz not null
);
create index payment_moves_of_payment on payment_moves (payment_id);

create table payment_periods (
  provider text not null,
  subscription text not null,
  price_id text not null,
  period_from timestamptz not null,
  payment_id uuid not null references payments (id),
  primary key (provider, subscription, price_id, period_from)
);
create index payment_periods_of_payment on payment_periods (payment_id);
