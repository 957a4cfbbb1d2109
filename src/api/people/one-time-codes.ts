import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Steps before and after this one whose codes are taken, for clocks that differ. */
const DRIFT_STEPS = 1;

const RECOVERY_CODES = 10;
/** Of Crockford's alphabet: 16 letters are 80 bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RECOVERY_CHARS = 16;

const totpOf = (secret: string, label = '') =>
  new TOTP({
    ...{ issuer: 'Parley', label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS },
    secret: Secret.fromBase32(secret),
  });

/** A new secret, base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The address that authenticator apps read from a QR code. */
export const otpauthUri = (secret: string, email: string): string =>
  totpOf(secret, email).toString();

/** The step (RFC 6238) whose code this is, at most one away from now; undefined if there is none. `nowMs`: epoch. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret).validate({ token, timestamp: nowMs, window: DRIFT_STEPS });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
}

/** Codes for the day without the app: `xxxx-xxxx-xxxx-xxxx`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    inGroups(Array.from({ length: RECOVERY_CHARS }, () => ALPHABET[randomInt(32)]).join('')),
  );

/** A recovery code as it was shown, however it was typed: letters that look like digits are those. */
export const canonicalRecoveryCode = (typed: string): string =>
  inGroups(
    typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1'),
  );

const inGroups = (letters: string): string => letters.match(/.{1,4}/g)?.join('-') ?? '';
