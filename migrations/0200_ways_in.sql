-- Keys made from now on reach /api only when that was asked for; those that are there already lose it.
alter table api_keys add column full_access boolean not null default false;
-- Who made it in the dashboard; null for those of the command line and of before.
alter table api_keys add column made_by text;

-- The operator said on the command line that this link asks for no second factor.
alter table sign_in_links add column without_second_factor boolean not null default false;

-- When somebody showed that the mailbox of this address is theirs; null: nobody did.
alter table users add column email_proved_at timestamptz;
-- What was handed out before, by or to this person, is worth nothing any more; null: it never ended.
alter table users add column access_since timestamptz;
