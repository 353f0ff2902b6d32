import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMarks } from './Marked.tsx';

test.for([
  ['siobhan ni', 'Siobhán Ní Dhomhnaill', ['Siobhán', 'Ní']],
  ['morel jean-baptiste', 'Jean-Baptiste Morel', ['Jean', 'Baptiste', 'Morel']],
  ['Zoe Trouble <zoe.two@reader.example>', 'zoe.two@reader.example', ['zoe.two@reader.example']],
  ['desk', 'Harbour Desk Ltd', ['Desk']],
  ['nobody', 'Harbour Desk Ltd', []],
  ['', 'Harbour Desk Ltd', []],
] as const)('"%s" marks in %s', ([words, text, marked]) => {
  expect(findMarks(text, words).map(({ at, end }) => text.slice(at, end))).toEqual(marked);
});

test('marks stand in the text one after the other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, words) => {
      let last = 0;
      for (const { at, end } of findMarks(text, words)) {
        expect(at).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(at);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
  );
});
