import { storeLead } from '@site/testing/builders';
import { lead } from '@site/schema/stored-lead';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { createSheet, guardFormula } from './lead-csv.ts';

const MOST_CHARS_OF_A_CELL = 32_767;
/** Texts of the lead that are a word of ours or Beehiiv's, or a time, and never what somebody typed. */
const WORDS = new Set(['id', 'formType', 'beehiivStatus', 'subscriberStatus', 'correctedFrom']);

const readBytes = (leads: object[]) => buffer(Readable.from(leads).pipe(createSheet()));
const writeSheet = async (leads: object[]) => (await readBytes(leads)).toString();

describe('what spreadsheets make of the CSV', () => {
  test('its first bytes are the mark of UTF-8 and a name that is neither a command nor another format', async () => {
    const file = await readBytes([]);

    // "ID" would make it a SYLK file to Excel, and "sep=" would be obeyed and not shown.
    expect(file.subarray(0, 6).toString('latin1')).toBe('\u00EF\u00BB\u00BFid,');
  });

  test('every row ends with CR and LF, and every other line break stands inside quotes', async () => {
    const anyLines = fc.stringMatching(/^(?:[a"]|\r|\n|\r\n){0,8}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(anyLines, { minLength: 1, maxLength: 5 }), async (messages) => {
        const file = await writeSheet(messages.map((message) => ({ message, company: message })));
        const outsideQuotes = file.replaceAll(/"(?:[^"]|"")*"/g, '');
        expect(outsideQuotes.match(/\r\n/g)).toHaveLength(1 + messages.length);
        expect(outsideQuotes.replaceAll('\r\n', '')).not.toMatch(/[\r\n"]/);
        expect(file.endsWith('\r\n')).toBe(true);
      }),
    );
  });

  test('text is in quotes, times and flags are not, so that "quoted fields as text" keeps every phone number', async () => {
    const file = await writeSheet([
      { phone: '07700900123', gaClientId: '1234567890.1234567890', submittedAt: new Date(0), consentMarketing: true },
    ]);

    const cells = file.split('\r\n')[1]?.split(',').filter(Boolean);
    expect(cells).toEqual(['"07700900123"', '1970-01-01T00:00:00.000Z', 'true', '"1234567890.1234567890"']);
  });

  test('no text of a lead can be longer than a cell of Excel', async ({ db }) => {
    const { id } = await storeLead(db);
    const fields = Object.keys(lead.shape).filter(
      (name) => !/At$|Timestamp$/.test(name) && name !== 'consentMarketing' && !WORDS.has(name),
    );
    expect(fields.length).toBeGreaterThan(30);

    // One less, for the apostrophe in front of a formula.
    const tooLong = '='.repeat(MOST_CHARS_OF_A_CELL);
    const taken: string[] = [];
    for (const name of fields) {
      const refusal = await db('leads')
        .where({ id })
        .update({ [name]: tooLong })
        .then(
          () => null,
          (error: { code: string }) => error.code,
        );
      if (refusal !== '23514') taken.push(name);
    }
    expect(taken).toEqual([]);
  });

  test('a cell that begins as a formula is text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('=', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'),
        fc.string({ unit: 'binary' }),
        (sign, rest) => {
          expect(guardFormula(sign + rest)).toBe(`'${sign}${rest}`);
        },
      ),
    );
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
  ] as const)('%s as it is: %s', ([phone, isAsItIs]) => {
    expect(guardFormula(phone)).toBe(isAsItIs ? phone : `'${phone}`);
  });

  test('a number is never a sum, whatever stands between its digits', () => {
    const part = fc.constantFrom('1', '22', '.5', '-', '(', ')', ' ', '.', '--');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const phone = `+${parts.join('')}`;
        if (guardFormula(phone) !== phone) return;
        // What a spreadsheet would work out: numbers with signs between them, and nothing but spaces beside.
        const sum = phone.replaceAll(/[()]/g, ' ').trim();
        expect(/^[-+\s]*[\d.]+(?:\s*[-+]+\s*[\d.]+)+$/.test(sum)).toBe(false);
      }),
    );
  });
});
