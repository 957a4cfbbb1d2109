import type { KnowledgeBaseInput } from '../../client/api.generated.ts';
import type { FieldFaults } from '../field-faults.ts';

type WebDoc = NonNullable<KnowledgeBaseInput['docs']>[number];

/** How far to follow links from an address. */
export type Reach = 'page' | 'below' | 'site';

/** A web site being edited. */
export interface WebDocDraft {
  readonly addresses: readonly { readonly url: string; readonly reach: Reach }[];
  /** One address per line. */
  readonly excluded: string;
}

const ADDRESS = /^https?:\/\/[^\s/?#]+[^\s]*$/;
const MAX_URL_CHARS = 2000;
export const MAX_ADDRESSES = 100;

export const REACHES: readonly { readonly value: Reach; readonly label: string }[] = [
  { value: 'page', label: 'This page only' },
  { value: 'below', label: 'This page and its subpages' },
  { value: 'site', label: 'All linked pages on this host' },
];

export const NEW_WEB_DOC: WebDocDraft = { addresses: [{ url: '', reach: 'page' }], excluded: '' };

export function draftOfDoc({ payload }: WebDoc): WebDocDraft {
  return {
    addresses: payload.urls_to_include.map((it) => ({ url: it.url, reach: reachOf(it) })),
    excluded: (payload.urls_to_exclude ?? []).join('\n'),
  };
}

export function reachOf(included: WebDoc['payload']['urls_to_include'][number]): Reach {
  if (!included.recursive) return 'page';
  return included.subpaths_only ? 'below' : 'site';
}

export function docOf({ addresses, excluded }: WebDocDraft): WebDoc {
  return {
    type: 'url',
    payload: {
      urls_to_include: addresses.map(({ url, reach }) => ({
        url: url.trim(),
        recursive: reach !== 'page',
        subpaths_only: reach === 'below',
      })),
      urls_to_exclude: linesOf(excluded),
    },
  };
}

/** Replaces `old`, compared by value, with `next`; items added meanwhile are kept. */
export function withDoc<D>(
  current: readonly D[],
  old: D | undefined,
  next: readonly D[],
): readonly D[] {
  const at = current.findIndex((doc) => JSON.stringify(doc) === JSON.stringify(old));
  if (at < 0) return [...current, ...next];
  return [...current.slice(0, at), ...next, ...current.slice(at + 1)];
}

/** Validation errors by field, by the service's rules. */
export function faultsOfDoc({ addresses, excluded }: WebDocDraft): FieldFaults {
  const faults: Record<string, string> = {};
  addresses.forEach(({ url }, index) => {
    const fault = faultOfUrl(url.trim());
    if (fault) faults[`url-${index}`] = fault;
  });
  const lines = linesOf(excluded);
  const wrong = lines.find((line) => faultOfUrl(line));
  if (wrong) faults.excluded = `“${wrong}” is no address that begins with https://.`;
  if (lines.length > MAX_ADDRESSES) faults.excluded = `At most ${MAX_ADDRESSES} addresses.`;
  return faults;
}

function faultOfUrl(url: string): string | undefined {
  if (url === '') return 'Enter an address.';
  if (!ADDRESS.test(url)) return 'Enter the full address, beginning with https://.';
  return url.length > MAX_URL_CHARS ? `Longer than ${MAX_URL_CHARS} characters.` : undefined;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
