import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardFormula } from './send-csv.ts';

const storable = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));

test('a cell that begins as a formula is made text, and any other is left as it was', () => {
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

  expect(formulas.map(guardFormula)).toEqual(formulas.map((text) => `'${text}`));
  expect(others.map(guardFormula)).toEqual(others);
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
] as const)('a spreadsheet that splits elsewhere finds no formula in %j', ([text, cell]) => {
  expect(guardFormula(text)).toBe(cell);
});

test('no part of a text is a formula, wherever a spreadsheet splits it', () => {
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

  const cells = texts.map(guardFormula).flatMap((cell) => cell.split(/[;\t\r\n]/).slice(1));

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
] as const)('the phone number %s is exported unchanged: %s', ([phone, isAsItIs]) => {
  expect(guardFormula(phone)).toBe(isAsItIs ? phone : `'${phone}`);
});

test('a number is never a formula, with any characters between its digits', () => {
  const part = fc.constantFrom('1', '22', '.5', '-', '(', ')', ' ', '.', '--');
  const phones = fc
    .sample(fc.array(part, { maxLength: 8 }), 1_000)
    .map((parts) => `+${parts.join('')}`);

  const cells = phones.map(guardFormula);

  const asItWas = phones.filter((phone, n) => cells[n] === phone);
  expect(asItWas.length).toBeGreaterThan(50);
  for (const phone of asItWas) {
    // A spreadsheet would calculate these: only numbers, signs and spaces.
    const sum = phone.replaceAll(/[()]/g, ' ').trim();
    expect(/^[-+\s]*[\d.]+(?:\s*[-+]+\s*[\d.]+)+$/.test(sum)).toBe(false);
  }
});
