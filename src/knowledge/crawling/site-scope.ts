/** Decides which pages belong to a crawl. */
export interface SiteScope {
  /** The address in its normal form; undefined if it is not to be fetched. */
  admit(address: string, base?: string): string | undefined;
}

interface ScopeOptions {
  readonly start: string;
  readonly subpathsOnly: boolean;
  /** Addresses to leave out, with all below them. */
  readonly exclude: readonly string[];
}

const FILES_NOT_READ =
  /\.(?:jpe?g|png|gif|webp|svg|ico|css|js|mjs|map|woff2?|ttf|mp[34]|webm|ogg|wav|zip|gz|tgz|rar|7z|exe|dmg|iso)$/i;

/** A scope of the start's host, and of the paths below it if `subpathsOnly` is set. */
export function createSiteScope({ start, subpathsOnly, exclude }: ScopeOptions): SiteScope {
  const root = new URL(start);
  const folder = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`;
  const excluded = exclude.flatMap((address) => URL.parse(address) ?? []);
  return {
    admit(address, base) {
      const url = URL.parse(address, base);
      if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
      if (url.host !== root.host || url.username !== '' || url.password !== '') return undefined;
      if (FILES_NOT_READ.test(url.pathname)) return undefined;
      const isRoot = url.pathname === root.pathname;
      if (subpathsOnly && !isRoot && !url.pathname.startsWith(folder)) return undefined;
      if (excluded.some((it) => it.host === url.host && isBelow(url, it))) return undefined;
      url.hash = '';
      return url.href;
    },
  };
}

function isBelow(url: URL, root: URL): boolean {
  if (root.search !== '') return url.pathname === root.pathname && url.search === root.search;
  const folder = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`;
  return url.pathname === root.pathname || url.pathname.startsWith(folder);
}
