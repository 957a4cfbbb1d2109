import { describe, expect, test } from 'vitest';
import { CARRIERS } from '../../src/console/numbers/carriers.ts';
import {
  faultOfNumber,
  faultsOfDraft,
  importOf,
  type NumberDraft,
  plainNumber,
} from '../../src/console/numbers/number-draft.ts';
import { CARRIER_NAMES, CREDENTIALS } from '../../src/contract/number.ts';

const DRAFT: NumberDraft = {
  carrier: 'twilio',
  number: '+1 (415) 555-0123',
  label: ' Reception ',
  ownAccount: false,
  account: { accountSid: 'AC1', authToken: ' t ' },
};

describe('a number that is written', () => {
  test.each([
    ['+1 (415) 555-0123', '+14155550123', undefined],
    ['0049 30/1234.567', '+49301234567', undefined],
    ['', '', 'Enter a number.'],
    ['030 1234567', '0301234567', /Begin with \+/],
    ['+123x', '+123x', /not a valid phone number/],
  ])('%j', (text, plain, fault) => {
    expect(plainNumber(text)).toBe(plain);
    if (fault) expect(faultOfNumber(text)).toMatch(fault);
    else expect(faultOfNumber(text)).toBeUndefined();
  });

  test('is imported with the chosen account', () => {
    expect(importOf(DRAFT)).toEqual({ number: '+14155550123', label: 'Reception' });
    expect(importOf({ ...DRAFT, ownAccount: true }).credentials).toEqual({
      accountSid: 'AC1',
      authToken: 't',
    });
    expect(faultsOfDraft({ ...DRAFT, ownAccount: true, account: {} })).toEqual({
      'credentials.accountSid': 'Account SID is missing.',
      'credentials.authToken': 'Auth token is missing.',
    });
  });
});

describe('the carriers', () => {
  test.each(CARRIER_NAMES.filter((name) => name !== 'emulator'))(
    'an account at %s has the fields of the contract',
    (name) => {
      const { shape } = CREDENTIALS[name];
      const fields = CARRIERS[name].account;
      expect(fields.map((field) => field.name)).toEqual(Object.keys(shape));
      const optional = Object.entries(shape).filter(([, it]) => it.safeParse(undefined).success);
      expect(fields.filter((it) => it.optional).map((it) => it.name)).toEqual(
        optional.map(([field]) => field),
      );
      for (const field of fields) {
        const tooLong = 'http://{number}/'.padEnd(field.maxLength + 1, 'a');
        const { issues = [] } = CREDENTIALS[name].safeParse({ [field.name]: tooLong }).error ?? {};
        const mine = issues.filter(({ path }) => path[0] === field.name);
        // One of a few values needs no length.
        if (mine.every(({ code }) => code !== 'invalid_value'))
          expect(mine).toContainEqual(
            expect.objectContaining({ code: 'too_big', maximum: field.maxLength }),
          );
      }
    },
  );
});
