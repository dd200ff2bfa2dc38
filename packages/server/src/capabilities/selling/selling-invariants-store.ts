// What must always hold between payments and the books.
import { type Invariant, type Statement, sql } from "../../foundation/database/index.ts";

// `moves`: transaction_id, workspace_id, kind and amount of the journal's top-ups and withdrawals.
export const sellingInvariants = (moves: Statement): readonly Invariant[] => [
  {
    name: "P1 every move of a payment has its line in the journal",
    statement: sql`
      select m.transaction_id from payment_moves m join payments p on p.id = m.payment_id
        left join (${moves}) j on j.transaction_id = m.transaction_id and j.amount = m.amount and j.workspace_id = p.workspace_id
          and j.kind = case when m.kind in ('grant', 'give_back') then 'fund' else 'withdraw' end
      where j.transaction_id is null`,
  },
  {
    name: "P2 a payment's credits are the sum of its moves, and it brought credits at most once",
    statement: sql`
      select p.id from payments p left join (
        select payment_id, count(*) filter (where kind = 'grant') as grants,
          coalesce(sum(amount) filter (where kind = 'grant'), 0) as granted,
          coalesce(sum(case kind when 'take_back' then amount when 'give_back' then -amount end), 0) as taken_back,
          coalesce(sum(amount) filter (where kind = 'expire'), 0) as expired
        from payment_moves group by payment_id
      ) m on m.payment_id = p.id
      where coalesce(m.grants, 0) > 1 or p.credits <> coalesce(m.granted, 0)
        or p.taken_back <> coalesce(m.taken_back, 0) or p.expired <> coalesce(m.expired, 0)`,
  },
];
