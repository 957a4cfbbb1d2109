import { withoutEndSlashes } from '../lib/without-end-slashes.ts';

/** The WebSocket URL of a vendor's HTTP base URL. */
export function socketUrl(
  baseUrl: string,
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const url = new URL(baseUrl);
  url.protocol = url.protocol.replace('http', 'ws');
  url.pathname = `${withoutEndSlashes(url.pathname)}${path}`;
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** `de-AT` -> `de`. */
export function primaryLanguage(tag: string | undefined): string | undefined {
  return tag?.split(/[-_]/)[0]?.toLowerCase() || undefined;
}
