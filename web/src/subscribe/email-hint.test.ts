import { expect, test } from 'vitest';
import { suggestEmail } from './email-hint.ts';

test.each([
  ['priya@gmial.com', 'priya@gmail.com'],
  ['priya@gmail.co', 'priya@gmail.com'],
  ['priya@hotmial.com', 'priya@hotmail.com'],
  ['Priya.Raman@outlok.com', 'Priya.Raman@outlook.com'],
  ['priya@yaho.co.uk', 'priya@yahoo.co.uk'],
  ['priya@btinternt.com', 'priya@btinternet.com'],
  ['jane@gmail,com', 'jane@gmail.com'],
  ['jane@northgate..co,uk.', 'jane@northgate.co.uk'],
  ['jane@gmial,com', 'jane@gmail.com'],
  ['ja\u200Bne@northgate.example', 'jane@northgate.example'],
  ['\u202Ejane@northgate.example', 'jane@northgate.example'],
  ['jane@gmial.com\u2060', 'jane@gmail.com'],
])('%j is offered as %s', (typed, meant) => {
  expect(suggestEmail(typed)).toBe(meant);
});

test.each([
  'priya@gmail.com',
  'priya@northgate.example',
  ' Priya@Northgate.Example ',
  'priya@company.co.uk',
  'priya@mail.ru',
  'priya@mail.com',
  'priya@email.com',
  'priya@sky.com',
  'priya@gmx.net',
  'priya@',
  'pri,ya@gmail,com',
  'priya',
  '',
])('nothing is offered for %s', (typed) => {
  expect(suggestEmail(typed)).toBeNull();
});
