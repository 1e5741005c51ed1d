-- The public key that push subscriptions were made with; null: nobody wrote it down yet.
alter table installation add column push_key text;
