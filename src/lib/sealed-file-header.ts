import { createHmac, timingSafeEqual } from 'node:crypto';
import { EXTRA_BYTES, SealedFileError, seal, unseal } from './sealed-bytes.ts';

/** A key that seals the keys of files, and the name that stands in them. */
export interface FileKey {
  /** 36 characters. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

const NAME = Buffer.from('PARLEY\0', 'latin1');
/** Files of the first version do not say how long they are. */
const FIRST_VERSION = 1;
const VERSION = 2;
const ID_AT = NAME.length + 1;
const ID_BYTES = 36;
const WRAPPED_AT = ID_AT + ID_BYTES;
export const KEY_BYTES = 32;
/** Name and version, id of the key, the file's own key, sealed, then the length: zeros until the file is finished. */
export const HEADER_BYTES = 128;
export const LENGTH_AT = WRAPPED_AT + EXTRA_BYTES + KEY_BYTES;
/** The bytes of the content as an integer, and 16 bytes of their HMAC-SHA256 under the file's own key. */
export const LENGTH_BYTES = HEADER_BYTES - LENGTH_AT;

/** The header of an unfinished file with a key of its own. */
export function sealedHeader({ id, bytes }: FileKey, own: Buffer): Buffer {
  const start = Buffer.concat([NAME, Buffer.from([VERSION]), Buffer.from(id, 'latin1')]);
  return Buffer.concat([start, seal(bytes, own, start)], HEADER_BYTES);
}

/** True of the first bytes of a sealed file. */
export function isSealedHeader(bytes: Buffer): boolean {
  const version = bytes[NAME.length] ?? 0;
  const isKnown = version >= FIRST_VERSION && version <= VERSION;
  return bytes.length === HEADER_BYTES && isKnown && bytes.subarray(0, NAME.length).equals(NAME);
}

/** The id of the key that has sealed the file's own. */
export const keyIdIn = (header: Buffer): string => header.toString('latin1', ID_AT, WRAPPED_AT);

/** The file's own key. Throws {@link SealedFileError}. */
export const ownKeyIn = (header: Buffer, key: Buffer): Buffer =>
  unseal(key, header.subarray(WRAPPED_AT, LENGTH_AT), header.subarray(0, WRAPPED_AT));

export const bindsLength = (header: Buffer): boolean => header[NAME.length] !== FIRST_VERSION;

/** False if nobody has finished the file; throws {@link SealedFileError} if it had another length then. */
export function isFinishedWith(header: Buffer, own: Buffer, size: number): boolean {
  const stored = header.subarray(LENGTH_AT);
  if (stored.every((byte) => byte === 0)) return false;
  if (timingSafeEqual(stored, lengthField(own, size))) return true;
  throw new SealedFileError('an encrypted file was cut short or extended');
}

/** What stands in the header of a finished file. */
export function lengthField(own: Buffer, size: number): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(size));
  const mac = createHmac('sha256', own).update('length').update(length).digest();
  return Buffer.concat([length, mac], LENGTH_BYTES);
}
