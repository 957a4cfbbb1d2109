import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signWebhook } from '../../src/lib/sign-webhook.ts';

const body = '{"message":{"text":"Grüße"}}';
const signed = (secret: string) =>
  signWebhook({
    id: 'WC-1:call_2',
    timestampSeconds: Math.floor(Date.now() / 1000),
    body,
    secret,
  });

describe('signing a request to a server of the user', () => {
  test.each([
    ['base64 key material after whsec_', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['any other text as its bytes', 'Schlüssel mit Ümlaut'],
  ])('the reference receiver verifies it with %s', (_kind, secret) => {
    // As described in docs/webhooks.md.
    const receiver = secret.startsWith('whsec_')
      ? new Webhook(secret)
      : new Webhook(Buffer.from(secret), { format: 'raw' });
    expect(receiver.verify(body, signed(secret))).toEqual(JSON.parse(body));
    expect(() => receiver.verify(`${body} `, signed(secret))).toThrow();
  });

  test('the secret goes along for receivers that only compare, as its UTF-8 bytes', () => {
    const value = signed('Schlüssel')['x-webhook-secret'] ?? '';
    expect(Buffer.from(value, 'latin1').toString('utf8')).toBe('Schlüssel');
  });

  test('a secret that no header can hold still signs', () => {
    const headers = signed('line\nbreak');
    expect(headers).not.toHaveProperty('x-webhook-secret');
    expect(headers).toHaveProperty('webhook-signature');
  });

  test('without a secret there is no signature', () => {
    expect(Object.keys(signed(''))).toEqual(['webhook-id', 'webhook-timestamp']);
  });
});
