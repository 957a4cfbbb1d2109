import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SignInMethods, Who } from '../client/api.generated.ts';
import { ApiError } from '../client/api-error.ts';
import { Client, type ClientOptions } from '../client/client.ts';

const STORED = 'parley.key';
/** While a person is signed in, `in`; then `out`. The session itself is in a cookie that no script reads. */
const PERSON = 'parley.person';

/** The signed-in client; undefined while signed out. */
export const client = signal<Client>();
/** Who is signed in. */
export const who = signal<Who>();
/** Why the user was signed out. */
export const signInFault = signal<unknown>();
/** The ways to sign in; undefined until the service has told. */
export const methods = signal<SignInMethods>();

/** Root of the service; the console may be served under a path of a larger site. */
export const BASE_URL = new URL('../', location.href.replace(/[?#].*$/, '')).href;

/** A client without a key: for signing in, and for a person's session. */
export const visitor = (): Client => new Client({ baseUrl: BASE_URL });

/** Checks the key and stores it in this browser for all tabs, until sign-out; rejects with the service's error. */
export async function signIn(apiKey: string): Promise<void> {
  const candidate = new Client({ baseUrl: BASE_URL, apiKey });
  who.value = await candidate.call('getWho');
  localStorage.setItem(STORED, apiKey);
  signInFault.value = undefined;
  client.value = candidate;
}

/** Goes in with the session that the cookie holds; rejects with the service's error. */
export async function enter(): Promise<void> {
  const candidate = visitor();
  who.value = await candidate.call('getWho');
  localStorage.removeItem(STORED);
  localStorage.setItem(PERSON, 'in');
  signInFault.value = undefined;
  client.value = candidate;
}

/** Whether a person has signed in with this browser before. */
export const hasBeenPerson = (): boolean => localStorage.getItem(PERSON) !== null;

/** Ends the session, if a person is signed in, and leaves. Rejects if it goes on: then nobody is told that it ended. */
export async function signOut(): Promise<void> {
  if (who.value?.person) await visitor().call('signOut');
  leave();
}

/** Goes to the door without a word to the service: the credential opens nothing any more. */
export function leave(fault?: unknown): void {
  localStorage.removeItem(STORED);
  if (who.value?.person) localStorage.setItem(PERSON, 'out');
  signInFault.value = fault;
  if (methods.value) methods.value = { ...methods.value, state: 'signed-out' };
  client.value = undefined;
  who.value = undefined;
}

const ROLES: readonly Role[] = ['viewer', 'reviewer', 'builder', 'admin'];

export type Role = Who['role'];

/** True if whoever is signed in has this role or one that may do more. */
export function may(least: Role): boolean {
  const role = who.value?.role;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Signs in with the stored key, or else with the session. */
export async function resume(): Promise<void> {
  const apiKey = localStorage.getItem(STORED);
  try {
    if (apiKey !== null) {
      await signIn(apiKey);
      return;
    }
    methods.value = await visitor().call('getSignInMethods');
    if (methods.value.state === 'signed-in') await enter();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) localStorage.removeItem(STORED);
    // Without its answer there is no provider to offer; whoever signs in is told what is wrong.
    if (apiKey !== null) signInFault.value = error;
  }
}

// Signing in or out in one tab does so in all of them.
addEventListener('storage', ({ key, newValue }) => {
  if (key === STORED && newValue === null && who.value?.apiKey) leave();
  else if (key === PERSON && newValue === 'out') leave();
  else if (newValue !== null && (key === STORED || key === PERSON)) void resume();
});

/** Signs out if the error says that the credential is no longer valid. */
export function leaveIfRefused(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) leave(error);
}

/** True if this browser is signed in with that key, judging by its prefix. */
export function isOwnKey({ prefix }: { readonly prefix: string }): boolean {
  return localStorage.getItem(STORED)?.startsWith(prefix) ?? false;
}

/** The client of pages that nobody signs in to as a team. */
export const OwnClient = createContext<Client | undefined>(undefined);

/** The client of a page; pages are shown only when signed in. */
export function useClient(): Client {
  const own = useContext(OwnClient);
  if (own) return own;
  if (!client.value) throw new Error('nobody is signed in');
  return client.value;
}

/** A client with the same credential but other options, such as a longer deadline. */
export function clientWith(options: Omit<ClientOptions, 'baseUrl' | 'apiKey'>): Client {
  if (!client.value) throw new Error('nobody is signed in');
  const apiKey = localStorage.getItem(STORED);
  return new Client({ ...options, baseUrl: BASE_URL, ...(apiKey === null ? {} : { apiKey }) });
}
