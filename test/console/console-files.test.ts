import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerConsole, registerRoot } from '../../src/api/console.ts';

describe('the console is served', () => {
  let app: FastifyInstance;

  beforeAll(async () => {
    app = fastify();
    registerRoot(app);
    await registerConsole(app);
  });

  afterAll(() => app.close());

  test('at /console/, with a policy that allows nothing from other origins', async () => {
    const page = await app.inject({ url: '/console/', headers: { host: 'voice.test:8080' } });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain(
      "connect-src 'self' ws://voice.test:8080 wss://voice.test:8080; base-uri",
    );
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
  });

  test('to browsers that ask for the root; programs get a card of what is here', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const browser = await app.inject({ url: '/', headers: { accept } });
    expect(browser.statusCode).toBe(302);
    expect(browser.headers.location).toBe('console/');
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const card = await app.inject({ url: '/', headers });
      expect(card.statusCode).toBe(200);
      expect(card.headers).toMatchObject({ vary: 'accept' });
      expect(card.json()).toMatchObject({ console: 'console/', openapi: 'openapi.json' });
    }
  });

  test('from /console too', async () => {
    const page = await app.inject('/console');
    expect(page.statusCode).toBe(308);
    expect(page.headers.location).toBe('console/');
  });

  test.each([
    '/console/tsconfig.json',
    '/console/../api/console.ts',
    '/console/%2e%2e/main.ts',
    '/console/.env',
    '/console/nothing.js',
  ])('%s is not', async (url) => {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
  });

  test('an invalid host does not get into the policy', async () => {
    const page = await app.inject({ url: '/console/', headers: { host: 'x; script-src *' } });
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'; base-uri");
  });
});
