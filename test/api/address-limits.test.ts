import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { operatorCheck } from '../../src/api/operator-auth.ts';
import { SignIn } from '../../src/api/people/sign-in.ts';
import type { Db } from '../../src/store/db.ts';

const THREE = { perSecond: 0.001, burst: 3 };
const steady = () => 0;

const signIn = () =>
  new SignIn({
    ...{ db: {} as Db, publicUrl: () => '', now: steady, steady },
    ...{ limits: { address: THREE, account: THREE }, strangers: THREE },
  });

test.each<[string, () => (request: FastifyRequest) => void]>([
  [
    'attempts to sign in',
    () => {
      const limited = signIn();
      return (request) => limited.takeAddress(request);
    },
  ],
  ["guesses at the operator's key", () => operatorCheck('the key', steady, THREE)],
])('%s are counted by network: who has one IPv6 network has all its addresses', (_, create) => {
  const check = create();
  const from = (ip: string) => {
    try {
      check({ ip, headers: {} } as FastifyRequest);
      return 'let through';
    } catch (error) {
      return (error as { kind: string }).kind;
    }
  };
  const passed = from('2001:db8::1');
  expect(passed).not.toBe('too-many');
  for (let n = 2; n <= 3; n++) expect(from(`2001:db8::${n}`)).toBe(passed);
  expect(from('2001:db8::4')).toBe('too-many');
  expect(from('2001:db8:0:1::1')).toBe(passed);
});
