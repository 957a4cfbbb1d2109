import { expect, test } from 'vitest';
import { basicAuthorization } from '../../src/lib/basic-authorization.ts';

test('a name and a password make the header of RFC 7617, whatever their characters are', () => {
  expect(basicAuthorization('Aladdin', 'open sesame')).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==');
  // The example of section 2.1: a pound sign, in UTF-8.
  expect(basicAuthorization('test', '123£')).toBe('Basic dGVzdDoxMjPCow==');
  expect(basicAuthorization('ключ', '密码')).toMatch(/^Basic [\w+/]+=*$/);
});
