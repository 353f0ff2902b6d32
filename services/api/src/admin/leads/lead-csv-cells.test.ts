import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { listLeadFields } from '@site/schema/lead-fields';
import fc from 'fast-check';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { guardFormula } from './lead-csv-cells.ts';

const MAX_CHARS_OF_A_CELL = 32_767;

/** What Postgres makes of texts in a cell. */
async function guard(db: Database, texts: string[]): Promise<string[]> {
  const rows = await query<{ cell: string }>(
    db,
    `select ${guardFormula('text')} as cell from unnest(:texts::text[]) with ordinality as given (text, n) order by n`,
    { texts },
  );
  return rows.map(({ cell }) => cell);
}

const storable = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));

test('the CSV’s first bytes are the mark of UTF-8 and a name that is neither a command nor another format', async ({
  api,
}) => {
  const answer = await fetch(`${api.url}/api/admin/leads/export/csv`, {
    headers: await api.logIn(),
  });
  const file = Buffer.from(await answer.arrayBuffer());

  // "ID" would make it a SYLK file to Excel, and "sep=" would be obeyed and not shown.
  expect(file.subarray(0, 12).toString('latin1')).toBe('\u00EF\u00BB\u00BFfullName,');
});

test('text in the CSV is quoted, times and flags are not, so that "quoted fields as text" keeps every phone number', async ({
  api,
  db,
}) => {
  await storeLead(db, { phone: '07700900123', submittedAt: new Date(0), consentMarketing: true });

  const { text } = await api.call('GET', '/api/admin/leads/export/csv', {
    headers: await api.logIn(),
  });

  const cells = text.split('\r\n')[1]?.split(',');
  expect(cells).toEqual(
    expect.arrayContaining(['"07700900123"', '1970-01-01T00:00:00Z', 'true', '"pre_buy"', '']),
  );
});

test('no text of a lead can be longer than a cell of Excel', () => {
  const limits = listLeadFields().flatMap(({ limit }) => limit ?? []);

  expect(limits.length).toBeGreaterThan(30);
  // One less, for the apostrophe in front of a formula. Beehiiv's answer is cut to 4 KB, and the rest are words of ours.
  expect(Math.max(...limits)).toBeLessThan(MAX_CHARS_OF_A_CELL);
});

test('a cell that begins as a formula is made text, and any other is left as it was', async ({
  db,
}) => {
  const signs = ['=', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
  const oneCell = storable.map((text) => text.replaceAll(/[;\t\r\n]/g, ''));
  const formulas = fc.sample(
    fc.tuple(fc.constantFrom(...signs), oneCell).map((parts) => parts.join('')),
    300,
  );
  const others = fc.sample(
    oneCell.filter((text) => !/^[=+\-@＝＋－＠]/u.test(text)),
    300,
  );

  expect(await guard(db, formulas)).toEqual(formulas.map((text) => `'${text}`));
  expect(await guard(db, others)).toEqual(others);
});

test.for([
  ['+ ', "'+ "],
  ['+ 44 20 7946 0000', '+ 44 20 7946 0000'],
  ['x;=1+1', "x;'=1+1"],
  ['x;+1+1;y', "x;'+1+1;y"],
  ['x\t=1', "x\t'=1"],
  ['x\r\n @sum', "x\r\n '@sum"],
  ['x; "=1"', `x; "'=1"`],
  ["x;'＝1", "x;''＝1"],
  ['=1;=2', "'=1;'=2"],
  ['x;+44 20 7946 0000', 'x;+44 20 7946 0000'],
  ['x;+44 20 7946 0000;+1-2', "x;+44 20 7946 0000;'+1-2"],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla/5.0 (X11; Linux x86_64)'],
] as const)(
  'a spreadsheet that splits elsewhere finds no formula in %j',
  async ([text, cell], { db }) => {
    expect(await guard(db, [text])).toEqual([cell]);
  },
);

test('no part of a text is a formula, wherever a spreadsheet splits it', async ({ db }) => {
  const part = fc.constantFrom(
    ';',
    '\t',
    '\r',
    '\n',
    ' ',
    '"',
    "'",
    '=',
    '+',
    '-',
    '@',
    '＝',
    '1',
    '22',
    'x',
    '(',
  );
  const texts = fc.sample(fc.array(part, { maxLength: 12 }), 1_000).map((parts) => parts.join(''));

  const cells = (await guard(db, texts)).flatMap((cell) => cell.split(/[;\t\r\n]/).slice(1));

  const isNumber = (cell: string) => /^[\s"']*\+[0-9 ()]*$/.test(cell);
  expect(cells.filter((cell) => /^[\s"]*[=+\-@＝]/.test(cell) && !isNumber(cell))).toEqual([]);
});

test.for([
  ['+44 20 7946 0000', true],
  ['+44 7700 900123', true],
  ['+447700900123', true],
  ['+44 (0)20 7946 0000', true],
  ['+1 (202) 555-0100', true],
  ['+44 20-7946-0000', true],
  ['+1-202-555-0100', false],
  ['+(44)-20', false],
  ['+44 - 20', false],
  ['+1+1', false],
  ["+cmd|' /C calc'!A0", false],
  ['+', false],
] as const)('the phone number %s is exported unchanged: %s', async ([phone, isAsItIs], { db }) => {
  expect(await guard(db, [phone])).toEqual([isAsItIs ? phone : `'${phone}`]);
});

test('a number is never a formula, with any characters between its digits', async ({ db }) => {
  const part = fc.constantFrom('1', '22', '.5', '-', '(', ')', ' ', '.', '--');
  const phones = fc
    .sample(fc.array(part, { maxLength: 8 }), 1_000)
    .map((parts) => `+${parts.join('')}`);

  const cells = await guard(db, phones);

  const asItWas = phones.filter((phone, n) => cells[n] === phone);
  expect(asItWas.length).toBeGreaterThan(50);
  for (const phone of asItWas) {
    // What a spreadsheet would work out: numbers with signs between them, and nothing but spaces beside.
    const sum = phone.replaceAll(/[()]/g, ' ').trim();
    expect(/^[-+\s]*[\d.]+(?:\s*[-+]+\s*[\d.]+)+$/.test(sum)).toBe(false);
  }
});
