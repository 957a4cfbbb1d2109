import { createHash } from 'node:crypto';

/** SHA-256 in hex: how secrets of 256 random bits are kept. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
