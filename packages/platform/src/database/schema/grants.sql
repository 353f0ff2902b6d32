-- API and worker change rows, but no tables and no records of actions. The read-only role, for
-- people and reports, cannot read logins, sessions and passwords.
grant usage on schema :"schema" to :"app", :"reader";
revoke all on all tables in schema :"schema" from :"app", :"reader";
grant select, insert, update, delete on all tables in schema :"schema" to :"app";
grant usage on all sequences in schema :"schema" to :"app";
revoke update, delete on operator_actions, logins from :"app";
grant update (account, client, counts) on logins to :"app";
revoke insert, update, delete on migrations from :"app";
grant select on all tables in schema :"schema" to :"reader";
revoke select on users, operator_sessions, logins from :"reader";
