import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/errors.ts';

/** Other sites cannot send it without asking first, and are refused then. */
const HEADER = 'x-parley-console';

type Incoming = Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>;

const nameOf = ({ protocol }: Pick<Incoming, 'protocol'>, name: string) =>
  protocol === 'https' ? `__Host-${name}` : name;

interface Cookie {
  readonly name: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** Absent: until the browser is closed. */
  readonly maxAgeSeconds?: number;
}

/** The session; the service decides when it ends. */
const SESSION: Cookie = { name: 'parley_session', sameSite: 'Strict', maxAgeSeconds: 30 * 86_400 };

/** Sets a cookie that no script can read; an empty value removes it. */
export function setCookie(
  request: Incoming,
  reply: FastifyReply,
  { name, sameSite, maxAgeSeconds }: Cookie,
  value: string,
): void {
  const age = value === '' ? 0 : maxAgeSeconds;
  const parts = [
    `${nameOf(request, name)}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(age === undefined ? [] : [`Max-Age=${age}`]),
    ...(request.protocol === 'https' ? ['Secure'] : []),
  ];
  // Fastify sends every one of them.
  reply.header('set-cookie', parts.join('; '));
}

/** The value of a cookie; undefined without one. Values are of URL-safe characters alone. */
export function readCookie(request: Incoming, name: string): string | undefined {
  const wanted = `${nameOf(request, name)}=`;
  const found = (request.headers.cookie ?? '').split(';').map((part) => part.trim());
  const value = found.find((part) => part.startsWith(wanted))?.slice(wanted.length);
  return value === undefined || !/^[\w.~:-]{1,2000}$/.test(value) ? undefined : value;
}

export const setSessionCookie = (request: Incoming, reply: FastifyReply, token: string): void =>
  setCookie(request, reply, SESSION, token);

/**
 * The token of a session; undefined without one. A cookie comes along with whatever a browser sends, so it counts only
 * beside the header, and from the service's own pages. Throws Problem for those of another site.
 */
export function sessionTokenOf(request: Incoming, publicUrl: string): string | undefined {
  const token = readCookie(request, SESSION.name);
  if (token === undefined || request.headers[HEADER] === undefined) return undefined;
  refuseOtherSites(request, publicUrl);
  return token;
}

/** Throws Problem if a page of another site has sent the request; what is no browser says nothing of it. */
export function refuseOtherSites({ headers, host }: Incoming, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  const isOther = site !== undefined && site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (!isOther && (origin === undefined || isOwn(origin, host, publicUrl))) return;
  throw new Problem({
    kind: 'forbidden',
    message: 'The request comes from the page of another site',
  });
}

/** True of a request from a page of this service. */
export function isOwnPage({ headers, host }: Incoming, publicUrl: string): boolean {
  return headers.origin !== undefined && isOwn(headers.origin, host, publicUrl);
}

function isOwn(origin: string, host: string, publicUrl: string): boolean {
  const from = URL.parse(origin)?.host;
  return from !== undefined && (from === host || from === URL.parse(publicUrl)?.host);
}
