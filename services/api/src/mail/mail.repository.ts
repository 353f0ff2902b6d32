import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { MailBody, MailRow, Row } from '@site/platform/database/tables';

/** `once`: a second mail with the same name is not stored. */
export type NewMail = Pick<Row<'mails'>, 'kind'> & { body: MailBody; once?: string };

/** Stores a mail to the owner. An API process then sends it. */
export async function storeMail(trx: Database, { body, ...mail }: NewMail): Promise<void> {
  await trx('mails')
    .insert({ ...mail, ...toColumns(body) })
    .onConflict('once')
    .ignore();
}

const toColumns = (body: MailBody) => ({
  body: JSON.stringify(body),
  people: [
    ...new Set(body.sections.flatMap(({ rows }) => rows.flatMap(({ people = [] }) => people))),
  ],
});

/**
 * Claims the mail that has been due longest, or returns undefined. A claim lasts longer than the
 * server may take to accept a mail.
 */
export async function claimMail(db: Database): Promise<{ id: string; body: MailBody } | undefined> {
  const [mail] = await query<{ id: string; body: MailBody }>(
    db,
    `update mails
     set attempts = attempts + 1, claimed_until = sync_now() + interval '90 seconds'
     where id = (
       select id
       from mails
       where body is not null and sent_at is null and given_up_at is null and due_at <= sync_now()
         and claimed_until <= sync_now()
       order by due_at limit 1 for update skip locked
     ) returning id, body`,
  );
  return mail;
}

/**
 * Postpones a mail, for a minute at first and an hour at most. Returns true if the mail was
 * dropped, because after three days it is out of date.
 */
export async function postponeMail(db: Database, id: string): Promise<boolean> {
  const rows = await query<{ isGivenUp: boolean }>(
    db,
    `update mails
     set claimed_until = '-infinity',
       due_at = sync_now() + least(60, 2 ^ (attempts - 1)) * interval '1 minute',
       given_up_at = case when created_at < sync_now() - interval '3 days' then sync_now() end
     where id = ? returning given_up_at is not null as is_given_up`,
    [id],
  );
  return rows[0]?.isGivenUp === true;
}

/**
 * Removes a person from unsent mails. Their line stays, without them. Returns the number of mails.
 */
export async function takeOutOfMails(trx: Database, person: string[]): Promise<number> {
  const without = (row: MailRow): MailRow =>
    row.people?.some((each) => person.includes(each))
      ? { ...(row.title !== undefined && { title: row.title }), text: 'An erased customer.' }
      : row;
  const mails = await trx<Row<'mails'>>('mails')
    .whereRaw('people && ?', [person])
    .forUpdate()
    .select();
  for (const { id, body } of mails) {
    const sections = (body?.sections ?? []).map((section) => ({
      ...section,
      rows: section.rows.map(without),
    }));
    if (body)
      await trx('mails')
        .where({ id })
        .update(toColumns({ ...body, sections }));
  }
  return mails.length;
}
