import { keyIdOf, SealedTextError, type TextPlace } from '../lib/sealed-text.ts';
import type { ContentKeys } from './content-keys.ts';
import type { Db } from './db.ts';
import { StoreError } from './errors.ts';
import { PooledSession } from './pooled-session.ts';
import { storableJson, storableText } from './storable.ts';
import type { HeldKey, TeamKey } from './team-keyring.ts';
import { addTeamKey, findTeamKey, listTeamKeys, newestTeamKey } from './team-keys.ts';

/** What was said cannot be read any more: its key was thrown away, or it was changed. */
export class UnreadableError extends StoreError {
  override readonly name = 'UnreadableError';
  readonly code = 'unreadable';

  constructor(isKeyGone: boolean, cause?: unknown) {
    super(
      isKeyGone
        ? 'This is encrypted with a key of the team that was thrown away'
        : 'This is encrypted and was changed in the database',
      { cause },
    );
  }
}

/** Seals what was said before it is stored, where that is turned on. */
export interface ContentSealer {
  readonly seals: boolean;
  text(text: string, place: TextPlace): string;
  /** For columns of the type json: a sealed document is a string there. */
  json<T>(document: T, place: TextPlace): T;
  /** Equal texts of a place give equal results. */
  alike(text: string, place: TextPlace): string;
}

/** Opens what a {@link ContentSealer} has sealed; what is in the clear stays as it is. Throws {@link UnreadableError}. */
export interface ContentOpener {
  text(stored: string, place: TextPlace): string;
  json<T>(stored: T, place: TextPlace): T;
}

const ZERO_WIDTH_SPACE = '\u200b';

/** A text that looks sealed and is not would be refused when it is read. */
const inTheClear = (text: string): string =>
  keyIdOf(text) === undefined ? text : `${ZERO_WIDTH_SPACE}${text}`;

const CLEAR: ContentSealer = {
  seals: false,
  text: inTheClear,
  json: (document) => document,
  alike: inTheClear,
};

/** Seals for a team. */
export async function contentSealer(
  db: Db,
  { teamId }: { readonly teamId: string },
): Promise<ContentSealer> {
  const content = contentOf(db);
  if (!content?.seals) return CLEAR;
  const key = await content.keyring.current(
    teamId,
    // Teams get their first key when they are made. Two keys at once do no harm; a lock might wait for this transaction.
    async () => (await newestTeamKey(db, { teamId })) ?? addTeamKey(content.root(), { teamId }),
  );
  return sealerWith(key);
}

/** Gives a new team the key with which what is said in its calls is sealed, where that is turned on. */
export async function addFirstKey(tx: Db, team: { readonly id: string }): Promise<void> {
  if (contentOf(tx)?.seals) await addTeamKey(tx, { teamId: team.id });
}

/** Seals with a given key of a team. */
export function sealerOfKey(db: Db, key: TeamKey): ContentSealer {
  const content = contentOf(db);
  if (!content) throw new Error('this database was opened without a key for its secrets');
  return sealerWith(content.keyring.hold(key));
}

const sealerWith = ({ texts }: HeldKey): ContentSealer => ({
  seals: true,
  text: (text, place) => texts.seal(storableText(text), place),
  json: <T>(document: T, place: TextPlace) =>
    texts.seal(storableJson(document), place) as unknown as T,
  alike: (text, place) => texts.sealAlike(storableText(text), place),
});

/** An opener for these columns of rows; values that are not sealed, or are no texts, need nothing. */
export async function contentOpener(db: Db, stored: readonly unknown[]): Promise<ContentOpener> {
  const ids = new Set(
    stored.flatMap((value) => (typeof value === 'string' ? (keyIdOf(value) ?? []) : [])),
  );
  const keys = new Map<string, HeldKey>();
  for (const id of ids) {
    const key = await contentOf(db)?.keyring.find(id, () => findTeamKey(db, { id }));
    if (key) keys.set(id, key);
  }
  const open = (sealed: string, keyId: string, place: TextPlace): string => {
    const key = keys.get(keyId);
    if (!key) throw new UnreadableError(true);
    try {
      return key.texts.open(sealed, place);
    } catch (error) {
      if (error instanceof SealedTextError) throw new UnreadableError(false, error);
      throw error;
    }
  };
  const text = (value: string, place: TextPlace): string => {
    const keyId = keyIdOf(value);
    return keyId === undefined ? value : open(value, keyId, place);
  };
  return {
    text,
    json: <T>(value: T, place: TextPlace) =>
      typeof value === 'string' ? (JSON.parse(text(value, place)) as T) : value,
  };
}

/** All that a text may have become in its place, in the clear or under any of the team's keys. */
export async function storedForms(
  db: Db,
  params: { readonly teamId: string; readonly text: string; readonly place: TextPlace },
): Promise<readonly string[]> {
  const content = contentOf(db);
  const keys = content
    ? (await listTeamKeys(db, params)).map((key) => content.keyring.hold(key))
    : [];
  return [
    inTheClear(params.text),
    ...keys.map((key) => sealerWith(key).alike(params.text, params.place)),
  ];
}

/** Undefined for a database that was opened without a key for its secrets. */
function contentOf(db: Db): ContentKeys | undefined {
  const { session } = db._;
  return session instanceof PooledSession ? session.content : undefined;
}
