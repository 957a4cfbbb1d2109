import { expect, test } from 'vitest';
import { type Argon2, Passwords } from '../../src/api/people/passwords.ts';

/** A library that notes what it is asked, and answers when it is let. */
function scripted() {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const work = async <T>(name: string, result: T): Promise<T> => {
    asked.push(name);
    most = Math.max(most, ++running);
    await gate;
    running--;
    return result;
  };
  const library: Argon2 = {
    hash: (password) => work('hash', `hash of ${password}`),
    verify: (hash, password) => work(`verify ${hash.slice(0, 7)}`, hash === `hash of ${password}`),
  };
  return { passwords: new Passwords(async () => library), asked, most: () => most, open };
}

test('an account that does not exist takes the same work as a wrong password', async () => {
  const { passwords, asked, open } = scripted();
  open();
  expect(await passwords.check('guess', 'hash of another')).toBe(false);
  expect(asked.splice(0)).toEqual(['hash', 'verify hash of']);
  expect(await passwords.check('guess', 'hash of another')).toBe(false);
  const wrong = asked.splice(0);
  expect(await passwords.check('guess', undefined)).toBe(false);
  expect(await passwords.check('guess', null)).toBe(false);
  expect(asked).toEqual([...wrong, ...wrong]);
  expect(await passwords.check('right', 'hash of right')).toBe(true);
});

test('a failure at the first check is told, and the next check tries again', async () => {
  let isThere = false;
  const library: Argon2 = {
    hash: async (password) => `hash of ${password}`,
    verify: async (hash, password) => hash === `hash of ${password}`,
  };
  const passwords = new Passwords(async () => {
    if (!isThere) throw new Error('the library is not there');
    return library;
  });
  await expect(passwords.check('right', 'hash of right')).rejects.toThrow('is not there');
  isThere = true;
  expect(await passwords.check('right', 'hash of right')).toBe(true);
  expect(await passwords.check('right', undefined)).toBe(false);
});

test('one password is worked on at a time, and no more than fifty wait', async () => {
  const { passwords, most, open } = scripted();
  const hashes = Array.from({ length: 60 }, () =>
    passwords.hash('x').then(
      () => 'done',
      ({ kind }: { kind: string }) => kind,
    ),
  );
  open();
  const results = await Promise.all(hashes);
  expect(most()).toBe(1);
  expect(results.filter((result) => result === 'done')).toHaveLength(51);
  expect(results.filter((result) => result === 'too-many')).toHaveLength(9);
});
