/**
 * Where the built-in carrier finds our own addresses: at this process itself, as the public one may lead
 * through a network that does not let us reach ourselves.
 */
export function reachLocally(
  publicUrl: string | undefined,
  ownUrl: () => string,
): (url: string) => string {
  const swap = (url: string, from: string, to: string) =>
    url.startsWith(`${from}/`) ? to + url.slice(from.length) : undefined;
  const socket = (url: string) => url.replace(/^http/, 'ws');
  return (url) => {
    if (publicUrl === undefined) return url;
    const own = ownUrl();
    return swap(url, publicUrl, own) ?? swap(url, socket(publicUrl), socket(own)) ?? url;
  };
}
