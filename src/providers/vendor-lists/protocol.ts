import type { VendorAccount } from '../../lib/vendor-accounts.ts';
import { withoutEndSlashes } from '../../lib/without-end-slashes.ts';

/** Access to the account whose list is read. */
export interface ListAccess {
  readonly apiKey: string;
  /** In the form that the vendor's own SDK expects; absent: the vendor's own server. */
  readonly baseUrl?: string;
}

/** How a vendor's list is asked for and read, page by page. */
export interface VendorListProtocol<Entry> {
  readonly vendor: VendorAccount;
  /** `after`: what the page before has named. */
  request(
    access: ListAccess,
    after: string | undefined,
  ): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** Entries of a parsed page that cannot be used are left out. */
  parse(body: unknown): { readonly entries: readonly Entry[]; readonly after?: string };
}

export type Json = Readonly<Record<string, unknown>>;

export const recordOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(recordOf) : [];

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The URL of a path at a base URL, with its own path before it. */
export function urlOf(
  baseUrl: string,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = new URL(baseUrl);
  url.pathname = `${withoutEndSlashes(url.pathname)}${path}`;
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
