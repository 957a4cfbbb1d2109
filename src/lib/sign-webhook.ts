import { createHmac } from 'node:crypto';

const BASE64_PREFIX = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(BASE64_PREFIX)
    ? Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

/** A header with the secret as UTF-8 bytes; none if it has control characters, which cannot be sent. */
function plainSecret(secret: string): Readonly<Record<string, string>> {
  const value = Buffer.from(secret, 'utf8').toString('latin1');
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? { 'x-webhook-secret': value } : {};
}

/**
 * The Standard Webhooks headers of a request to a user's server, and the secret itself for receivers that only compare
 * it. Without a secret the request has an id and a timestamp, but no signature.
 */
export function signWebhook(message: {
  readonly id: string;
  /** Unix time in seconds. */
  readonly timestampSeconds: number;
  /** The exact body that is sent. */
  readonly body: string;
  readonly secret: string;
}): Readonly<Record<string, string>> {
  const { id, body, secret } = message;
  const timestamp = String(Math.floor(message.timestampSeconds));
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === '') return named;
  const signature = createHmac('sha256', keyOf(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return { ...named, 'webhook-signature': `v1,${signature}`, ...plainSecret(secret) };
}
