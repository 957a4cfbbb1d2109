import { randomBytes } from 'node:crypto';

let lastMs = 0;
let sequence = 0;

/**
 * A UUIDv7. Ids of one process sort by the time of their creation: the twelve bits after the timestamp are a counter
 * within the millisecond, with a random start (RFC 9562, method 1).
 */
export function uuidv7(nowMs: number = Date.now()): string {
  const random = randomBytes(10);
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = random.readUInt16BE(0) & 0x7ff;
  } else if (++sequence > 0xfff) {
    lastMs++;
    sequence = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const counter = (0x7000 | sequence).toString(16);
  const variant = (0x8000 | (random.readUInt16BE(2) & 0x3fff)).toString(16);
  const tail = random.toString('hex', 4, 10);
  return `${time.slice(0, 8)}-${time.slice(8)}-${counter}-${variant}-${tail}`;
}

/** A call's id; its prefix is the type of the call: `WC-…` on the web, `CC-…` on the phone. */
export function newCallId(callType: 'web' | 'phone'): string {
  return `${callType === 'web' ? 'WC' : 'CC'}-${uuidv7()}`;
}

/** A secret of 32 random bytes, safe in URLs. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}
