import type { FastifyReply, FastifyRequest } from 'fastify';
import { newToken } from '../../lib/ids.ts';
import { SealError } from '../../lib/seal.ts';
import type { Db } from '../../store/db.ts';
import { sealerOf } from '../../store/sealing.ts';
import { readCookie, setCookie } from './session-cookie.ts';

const COOKIE = { name: 'parley_known', sameSite: 'Strict', maxAgeSeconds: 365 * 86_400 } as const;
const OWNER = 'known-browser';
/** Accounts that one browser is known at; the one that was opened longest ago goes. */
const MOST = 5;

interface Known {
  readonly personId: string;
  /** Tells browsers apart. */
  readonly browser: string;
}

/**
 * Marks a browser in which somebody has signed in, by a sealed cookie ("device cookies", OWASP): attempts from there are
 * counted apart from those of strangers, who can't shut its owner out. It opens nothing by itself.
 */
export function rememberBrowser(
  db: Db,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  personId: string,
): void {
  const others = read(db, request).filter((known) => known.personId !== personId);
  const all = [{ personId, browser: newToken().slice(0, 16) }, ...others].slice(0, MOST);
  setCookie(request, reply, COOKIE, sealerOf(db).seal(JSON.stringify(all), OWNER));
}

/** Names this browser among those that are known at an account; undefined if it is not. */
export function knownBrowser(
  db: Db,
  request: FastifyRequest,
  personId: string | undefined,
): string | undefined {
  const known = read(db, request).find((one) => one.personId === personId);
  return known && `${known.personId} in ${known.browser}`;
}

function read(db: Db, request: FastifyRequest): readonly Known[] {
  const sealed = readCookie(request, COOKIE.name);
  if (sealed === undefined) return [];
  try {
    return JSON.parse(sealerOf(db).open(sealed, OWNER)) as Known[];
  } catch (error) {
    if (error instanceof SealError || error instanceof SyntaxError) return [];
    throw error;
  }
}
