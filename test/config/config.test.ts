import { expect, test } from 'vitest';
import { ConfigError, describeConfig, parseConfig } from '../../src/config/config.ts';

const problemsOf = (env: Record<string, string>): string => {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

test('nothing set gives the documented defaults', () => {
  expect(parseConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    maxCalls: 100,
    maxLagMs: 15,
    allowPrivateTargets: false,
    drain: 'handover',
    drainSeconds: 60,
    logLevel: 'info',
  });
});

test('every problem is in one message, with its name', () => {
  const message = problemsOf({ PORT: 'eighty', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' });
  for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL']) expect(message).toContain(name);
});

test("a misspelt setting is refused, other programs' variables are not", () => {
  expect(problemsOf({ DATA_DIRECTORY: 'x' })).toContain('DATA_DIRECTORY: there is no such setting');
  expect(problemsOf({ PATH: '/bin', HOME: '/root', NODE_ENV: 'test' })).toBe('');
});

test('a secret is never in the message', () => {
  expect(problemsOf({ API_KEY: 'short-secret' })).not.toContain('short-secret');
  expect(problemsOf({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).not.toContain('hunter2');
});

test('the configuration cannot be changed afterwards', () => {
  const config = parseConfig({});
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
});

test('every setting is described', () => {
  expect(
    describeConfig().every(({ name, help }) => /^[A-Z_]+$/.test(name) && help.length > 5),
  ).toBe(true);
});

test('a provider of OpenID Connect is configured by address and client together', () => {
  const OIDC_ISSUER = 'https://id.example/realm';
  expect(problemsOf({ OIDC_ISSUER })).toContain('OIDC_CLIENT_ID: is missing');
  expect(problemsOf({ OIDC_CLIENT_ID: 'parley' })).toContain('OIDC_ISSUER: is missing');
  expect(problemsOf({ OIDC_ISUER: 'x' })).toContain('OIDC_ISUER: there is no such setting');
  const { openId } = parseConfig({ OIDC_ISSUER, OIDC_CLIENT_ID: 'parley' });
  expect(openId).toEqual({ name: 'id.example', issuer: OIDC_ISSUER, clientId: 'parley' });
});
