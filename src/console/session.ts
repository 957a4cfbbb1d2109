import { signal } from '@preact/signals';
import { ApiError } from '../client/api-error.ts';
import { Client, type ClientOptions } from '../client/client.ts';

const STORED = 'parley.key';

/** The signed-in client; none while the page asks for a key. */
export const client = signal<Client>();
/** Why the page asks for a key again. */
export const signInFault = signal<unknown>();

/** The console may stand under a path of a larger site: everything is beside it. */
const BASE_URL = new URL('../', location.href.replace(/[?#].*$/, '')).href;

/** Tries the key; rejects with what the service says. It stays in this browser, for all its tabs, until someone signs out. */
export async function signIn(apiKey: string): Promise<void> {
  const candidate = new Client({ baseUrl: BASE_URL, apiKey });
  await candidate.call('listAssistants', { query: { limit: 1 } });
  localStorage.setItem(STORED, apiKey);
  signInFault.value = undefined;
  client.value = candidate;
}

export function signOut(fault?: unknown): void {
  localStorage.removeItem(STORED);
  signInFault.value = fault;
  client.value = undefined;
}

/** Takes up the browser's key. */
export async function resume(): Promise<void> {
  const apiKey = localStorage.getItem(STORED);
  if (apiKey === null) return;
  try {
    await signIn(apiKey);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) localStorage.removeItem(STORED);
    signInFault.value = error;
  }
}

// Signing out in one tab is meant for all.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== STORED) return;
  if (newValue === null) signOut();
  else void resume();
});

/** A key that was revoked meanwhile leads back to the door. */
export function leaveIfRefused(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) signOut(error);
}

/** Whether this browser is signed in with that key, as far as its first characters tell. */
export function isOwnKey({ prefix }: { readonly prefix: string }): boolean {
  return localStorage.getItem(STORED)?.startsWith(prefix) ?? false;
}

/** The client of a page, which is only shown to who is signed in. */
export function useClient(): Client {
  if (!client.value) throw new Error('nobody is signed in');
  return client.value;
}

/** A client like the page's own that goes about it in another way, such as with a longer deadline. */
export function clientWith(options: Omit<ClientOptions, 'baseUrl' | 'apiKey'>): Client {
  const apiKey = localStorage.getItem(STORED);
  if (apiKey === null) throw new Error('nobody is signed in');
  return new Client({ ...options, baseUrl: BASE_URL, apiKey });
}
