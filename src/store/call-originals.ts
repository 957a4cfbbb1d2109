import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { and, asc, eq, gt } from 'drizzle-orm';
import type { JournalLine } from '../ports/journal.ts';
import { readCallEvents } from './call-events.ts';
import type { Db } from './db.ts';
import { callKeys, callOriginals } from './schema/originals.ts';
import { contentOpener, contentSealer } from './sealed-content.ts';
import { sealerOf } from './sealing.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PAGE_LINES = 500;

interface OfCall {
  readonly teamId: string;
  readonly callId: string;
}

/** Keys of one call: for the lines of its journal, and for its recording. */
export interface CallKeys {
  readonly lines: Uint8Array;
  readonly sound: Uint8Array;
}

/** Where the key of a call stands. */
export const callKeyPlace = (callId: string) => ({
  table: 'call_keys',
  owner: callId,
  part: 'sealed_key',
});

/** The keys of a call's originals; made the first time. */
export async function keepCallKeys(db: Db, { teamId, callId }: OfCall): Promise<CallKeys> {
  const secret = randomBytes(KEY_BYTES).toString('base64');
  const seal = await contentSealer(db, { teamId });
  const sealedKey = seal.seals
    ? seal.text(secret, callKeyPlace(callId))
    : sealerOf(db).seal(secret, teamId);
  await db.insert(callKeys).values({ callId, sealedKey }).onConflictDoNothing();
  const keys = await findCallKeys(db, { teamId, callId });
  if (!keys) throw new Error('the key of a call that was just stored is not there');
  return keys;
}

/** Undefined if no originals of the call are kept. Throws SealError or UnreadableError. */
async function findCallKeys(db: Db, { teamId, callId }: OfCall): Promise<CallKeys | undefined> {
  const [row] = await db.select().from(callKeys).where(eq(callKeys.callId, callId));
  if (!row) return undefined;
  const open = await contentOpener(db, [row.sealedKey]);
  const sealed = open.text(row.sealedKey, callKeyPlace(callId));
  const secret = Buffer.from(sealerOf(db).open(sealed, teamId), 'base64');
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', secret, '', use, KEY_BYTES));
  return { lines: derive('lines'), sound: derive('sound') };
}

/** Keeps lines as they were before they were redacted; writing them again is harmless. */
export async function appendOriginals(
  db: Db,
  params: {
    readonly callId: string;
    readonly keys: CallKeys;
    readonly lines: readonly JournalLine[];
  },
): Promise<void> {
  const { callId, keys, lines } = params;
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({
    callId,
    seq: line.seq,
    sealed: encrypt(JSON.stringify(line.data), keys.lines, `${callId} ${line.seq}`),
  }));
  await db.insert(callOriginals).values(rows).onConflictDoNothing();
}

/** The journal with the originals in place; undefined if none are kept. Throws SealError or if a line was changed. */
export async function readOriginalEvents(
  db: Db,
  params: OfCall,
): Promise<AsyncGenerator<JournalLine> | undefined> {
  const keys = await findCallKeys(db, params);
  return keys && withOriginals(db, params.callId, keys);
}

async function* withOriginals(db: Db, callId: string, keys: CallKeys): AsyncGenerator<JournalLine> {
  const originals = readOriginals(db, callId);
  let original = await originals.next();
  for await (const line of readCallEvents(db, { callId })) {
    while (!original.done && original.value.seq < line.seq) original = await originals.next();
    if (original.done || original.value.seq !== line.seq) yield line;
    else {
      const data = decrypt(original.value.sealed, keys.lines, `${callId} ${line.seq}`);
      yield { ...line, data: JSON.parse(data) as JournalLine['data'] };
    }
  }
}

async function* readOriginals(db: Db, callId: string) {
  for (let after = -1; ; ) {
    const rows = await db
      .select({ seq: callOriginals.seq, sealed: callOriginals.sealed })
      .from(callOriginals)
      .where(and(eq(callOriginals.callId, callId), gt(callOriginals.seq, after)))
      .orderBy(asc(callOriginals.seq))
      .limit(PAGE_LINES);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_LINES) return;
    after = last.seq;
  }
}

function encrypt(text: string, key: Uint8Array, owner: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64');
}

function decrypt(sealed: string, key: Uint8Array, owner: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const start = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([start, decipher.final()]).toString('utf8');
}
