import type { Knex } from 'knex';
import { query } from '../query.ts';

/** What operators write down about a person. */
export async function up(db: Knex): Promise<void> {
  await query(
    db,
    `create table notes (
       id uuid primary key,
       email_normalised text not null check (char_length(email_normalised) <= 254),
       text text not null check (char_length(text) between 1 and 2000),
       operator text not null,
       created_at timestamptz not null default now()
     )`,
  );
  await query(db, 'create index notes_by_address on notes (email_normalised, created_at desc)');
  await query(db, 'create index notes_by_words on notes using gin (lower(text) gin_trgm_ops)');
  // Version 0.2.0 erases without knowing of notes.
  await query(
    db,
    `create function erase_notes() returns trigger language plpgsql as $$
     begin
       delete from notes where email_normalised = new.email_normalised;
       return null;
     end $$`,
  );
  await query(
    db,
    `create trigger erasures_take_notes after insert on erasures for each row execute function erase_notes()`,
  );
}
