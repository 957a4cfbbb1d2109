import { expect, test } from 'vitest';
import { languageOf } from '../../src/engine/language/language.ts';
import { expectedValue, progressOf } from '../../src/engine/turn/dictation.ts';

const english = languageOf(['en-US']);

test.each([
  ['four one, two', 'open'],
  ['It is room 412', 'whole'],
  ['one, two', 'whole'],
  ['two one two, five five five, one two three four', 'whole'],
  ['I will come on Monday', 'whole'],
])('nobody asked for digits: after %j the caller is thought to be %s', (text, progress) => {
  expect(progressOf(undefined, text, english)).toBe(progress);
});

const phone = { kind: 'phone', digits: undefined } as const;

test.each<[string, object | undefined]>([
  ['What is your phone number?', { kind: 'phone', digits: 10 }],
  ['What is your phone number? Take your time.', { kind: 'phone', digits: 10 }],
  ['Did you get our e-mail?', undefined],
  ['Your phone number is wrong.', undefined],
  ['Please tell me your phone number.', { kind: 'phone', digits: 10 }],
  ['What are the three digits on the back?', { kind: 'code', digits: 3 }],
  ['What are the sixteen digits on the front?', { kind: 'code', digits: 16 }],
  ['What are the two digits?', undefined],
  ['What are the seventeen digits?', undefined],
  ['What are the 8 digits?', { kind: 'code', digits: 8 }],
  ['Digits, please.', undefined],
  ['Sixteen-digit code, please?', { kind: 'code', digits: 16 }],
  ['Please tell me your phone number. Take your time.', { kind: 'phone', digits: 10 }],
  ['Please tell me your phone number. Take your time. I wait.', undefined],
  ['What is your phone number? Take your time. I wait.', { kind: 'phone', digits: 10 }],
  ['What are the digits?', undefined],
  ['What is your zip code?', { kind: 'code', digits: 5 }],
  ['What is your access code?', { kind: 'code', digits: undefined }],
  ['What is your card number?', { kind: 'card', digits: 16 }],
  ['Would you like a table?', undefined],
])('after %j the caller is expected to say %o', (asked, expected) => {
  expect(expectedValue(asked, english)).toEqual(expected);
});

test.each([
  [10, '415 555 012', 'part'],
  [10, '415 555 0123', 'whole'],
  [10, '415 555 01234', 'whole'],
  // The prefix of a country is one digit more.
  [10, '+1 415 555 012', 'part'],
  [10, '+1 415 555 0123', 'whole'],
  [16, '4111 1111 1111 111', 'part'],
  [16, '4111 1111 1111 1111', 'whole'],
  // A card of fifteen digits.
  [16, '3782 822463 1000', 'part'],
  [16, '3782 822463 10005', 'whole'],
  [16, '3482 822463 10005', 'whole'],
  [16, '3882 822463 10005', 'part'],
  [16, '4378 822463 10005', 'part'],
  [undefined, '415', 'open'],
  [undefined, '415 is all', 'whole'],
  [undefined, 'A', 'whole'],
  [undefined, 'A B', 'part'],
  [undefined, 'I do not know', 'whole'],
])('of %s digits %j is %s', (digits, text, progress) => {
  expect(progressOf({ ...phone, digits }, text, english)).toBe(progress);
});

test.each([
  ['ann', 'part'],
  ['ann at', 'part'],
  ['at example dot com', 'whole'],
  ['ann at example', 'part'],
  ['ann at example dot', 'part'],
  ['ann at example dot com', 'whole'],
  ['ann at example dot co dot', 'part'],
  ['ann dot smith at example', 'part'],
  ['ann@example.com', 'whole'],
  ['ann@example.com thanks', 'whole'],
  ['', 'whole'],
  ['ann@example', 'part'],
  ['ann at example.com', 'whole'],
  ['no', 'whole'],
])('of an e-mail address %j is %s', (text, progress) => {
  expect(progressOf({ kind: 'email', digits: undefined }, text, english)).toBe(progress);
});

test.each([
  ['birth', 'I was born in Bern', 'whole'],
  ['birth', 'May', 'part'],
  ['birth', 'May 5', 'part'],
  ['birth', 'May 5 84', 'part'],
  ['birth', 'May 15 84', 'whole'],
  ['birth', '5 15 84', 'part'],
  ['birth', '05 15 84', 'whole'],
  ['birth', 'May 1984', 'whole'],
  ['birth', '2001', 'whole'],
  ['birth', '1884', 'part'],
  ['date', 'May', 'part'],
  ['date', 'May 5', 'whole'],
  ['date', '5 15', 'part'],
  ['date', '05 15', 'whole'],
  ['date', 'tomorrow', 'whole'],
] as const)('of a date (%s) %j is %s', (kind, text, progress) => {
  expect(progressOf({ kind, digits: undefined }, text, english)).toBe(progress);
});

test.each([
  ['A', 'whole'],
  ['A N', 'open'],
  ['A N N', 'open'],
  ['It is Ann', 'whole'],
])('of a word that is spelt %j is %s', (text, progress) => {
  expect(progressOf({ kind: 'spelling', digits: undefined }, text, english)).toBe(progress);
});

test.each([
  ['you can reach me on', 'part'],
  ['on 684 reach me on', 'part'],
  ['reach me at 684', 'part'],
  ['you can reach me on 684', 'part'],
  ['you can reach me on 684 555 012', 'part'],
  ['you can reach me on 684 555 0123', 'whole'],
  ['you can reach me on 68', 'whole'],
  ['you can reach me on 0', 'part'],
  ['you can reach me on zero', 'part'],
  ['you can reach me on 684 in the evening', 'whole'],
  ['you can reach me tomorrow', 'whole'],
])('of a number that the caller announces %j is %s', (text, progress) => {
  expect(progressOf(undefined, text, english)).toBe(progress);
});

test.each([
  ['four one', 'whole'],
  ['four, one, five', 'open'],
  ['41 5', 'open'],
  ['415', 'whole'],
  ['4111 1111 1111 111', 'open'],
  ['4111 1111 1111 1111', 'whole'],
  ['4111 1111 1111 1111 1', 'whole'],
])('without a question, digits in groups may go on: after %j it is %s', (text, progress) => {
  expect(progressOf(undefined, text, english)).toBe(progress);
});

test.each([
  ['de', 10],
  ['en', 10],
  ['es', 9],
  ['fr', 10],
  ['hi', 10],
  ['it', 10],
  ['nl', 10],
  ['pl', 9],
  ['pt', 9],
  ['sv', 10],
])('%s: a telephone number that nobody asked for is whole with %d digits', (tag, digits) => {
  const first = (count: number) => `12 ${'3456789012'.slice(0, count - 2)}`;
  const after = (count: number) => progressOf(undefined, first(count), languageOf([tag]));
  expect([digits - 1, digits, digits + 1].map(after)).toEqual(['open', 'whole', 'open']);
});
