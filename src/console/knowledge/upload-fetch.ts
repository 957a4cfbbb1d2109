/**
 * A `fetch` that reports upload progress, which the browser's own does not. @param onProgress gets the share sent, 0 to
 * 1
 */
export function uploadFetch(
  onProgress: (share: number) => void,
): (url: string, init: RequestInit) => Promise<Response> {
  return (url, init) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      const request = new XMLHttpRequest();
      const abort = (): void => request.abort();
      request.open(init.method ?? 'GET', url);
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total);
      request.onload = () => resolve(toResponse(request));
      request.onerror = () => reject(new TypeError('the upload broke off'));
      request.onabort = () => reject(signal?.reason ?? new DOMException('', 'AbortError'));
      request.onloadend = () => signal?.removeEventListener('abort', abort);
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      signal?.addEventListener('abort', abort, { once: true });
      request.send(init.body as FormData);
    });
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1).trim()]] : [];
  });
  return new Response(request.responseText, { status: request.status, headers });
}
