-- Mails that the pages send, written in the transaction that they tell about.
create table mails (
  id uuid primary key,
  -- Null for the mail that tells that the account is gone. Any other goes with its account.
  account_id uuid references accounts (id) on delete cascade,
  kind text not null,
  -- Null once the mail was sent or given up; the row still counts towards the account's limit.
  recipient text,
  -- When the erasure begins that the mail tells about.
  erase_at timestamptz,
  -- The link in an invitation, sealed by the pages.
  sealed_link bytea,
  -- When it may be taken: while it is leased, when the lease ends.
  due_at timestamptz not null,
  -- Who sends it, if anybody does.
  lease_id uuid,
  attempts integer not null default 0,
  created_at timestamptz not null,
  constraint mails_kind_known
    check (kind in ('erasure_scheduled', 'erasure_cancelled', 'account_erased', 'invitation')),
  constraint mails_recipient_length check (char_length(recipient) <= 254),
  constraint mails_sealed_link_length check (octet_length(sealed_link) between 1 and 4096)
);

create index mails_due on mails (due_at) where recipient is not null;
create index mails_account on mails (account_id, created_at);
create index mails_created on mails (created_at);
