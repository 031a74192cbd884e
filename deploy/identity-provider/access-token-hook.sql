-- Custom access token hook for Supabase Auth: an assistant's token is no session of the person's.
--
-- Supabase Auth takes a token that it gave an assistant (an OAuth client) for the person's own session:
-- with it, the assistant could set a password and sign in as the person. This hook lets the token name
-- a session that does not exist, the same one each time. Every endpoint of Supabase Auth that reads a
-- token then answers 403 `session_not_found`; refreshing, which goes by the refresh token, is as before.
-- The journal needs the claim but not the session, and goes by its own grants.
--
-- Run it in the project's SQL editor, then choose the function under Authentication > Hooks >
-- Customize Access Token (JWT) Claims, or set
--   GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED=true
--   GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_URI=pg-functions://postgres/public/detach_client_tokens
create or replace function public.detach_client_tokens(event jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select case
    when coalesce(event #>> '{claims,client_id}', '') = '' then event
    else jsonb_set(
      event,
      '{claims,session_id}',
      to_jsonb(md5(event #>> '{claims,session_id}')::uuid::text)
    )
  end
$$;

-- Only Supabase Auth may call it. The roles of the vendor's own database do not exist elsewhere.
revoke execute on function public.detach_client_tokens from public;
do $$
declare
  role_name text;
begin
  for role_name in select rolname from pg_roles where rolname in ('anon', 'authenticated') loop
    execute format('revoke execute on function public.detach_client_tokens from %I', role_name);
  end loop;
end
$$;
grant execute on function public.detach_client_tokens to supabase_auth_admin;
grant usage on schema public to supabase_auth_admin;
