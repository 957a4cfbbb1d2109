import { signal } from '@preact/signals';
import type { Who } from '../client/api.generated.ts';
import { ApiError } from '../client/api-error.ts';
import { Client, type ClientOptions } from '../client/client.ts';

const STORED = 'parley.key';

/** The signed-in client; undefined while signed out. */
export const client = signal<Client>();
/** Who is signed in. */
export const who = signal<Who>();
/** Why the user was signed out. */
export const signInFault = signal<unknown>();

/** Root of the service; the console may be served under a path of a larger site. */
const BASE_URL = new URL('../', location.href.replace(/[?#].*$/, '')).href;

/** Checks the key and stores it in this browser for all tabs, until sign-out; rejects with the service's error. */
export async function signIn(apiKey: string): Promise<void> {
  const candidate = new Client({ baseUrl: BASE_URL, apiKey });
  who.value = await candidate.call('getWho');
  localStorage.setItem(STORED, apiKey);
  signInFault.value = undefined;
  client.value = candidate;
}

export function signOut(fault?: unknown): void {
  localStorage.removeItem(STORED);
  signInFault.value = fault;
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

/** Signs in with the stored key. */
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

// Signing out in one tab signs out all of them.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== STORED) return;
  if (newValue === null) signOut();
  else void resume();
});

/** Signs out if the error says that the key is no longer valid. */
export function leaveIfRefused(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) signOut(error);
}

/** True if this browser is signed in with that key, judging by its prefix. */
export function isOwnKey({ prefix }: { readonly prefix: string }): boolean {
  return localStorage.getItem(STORED)?.startsWith(prefix) ?? false;
}

/** The client of a page; pages are shown only when signed in. */
export function useClient(): Client {
  if (!client.value) throw new Error('nobody is signed in');
  return client.value;
}

/** A client with the same key but other options, such as a longer deadline. */
export function clientWith(options: Omit<ClientOptions, 'baseUrl' | 'apiKey'>): Client {
  const apiKey = localStorage.getItem(STORED);
  if (apiKey === null) throw new Error('nobody is signed in');
  return new Client({ ...options, baseUrl: BASE_URL, apiKey });
}
