const TIMEOUT_MS = 15_000;

/** The service refused a call; the message is for the visitor. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly code: string;

  constructor({ error, message }: { readonly error: string; readonly message: string }) {
    super(message);
    this.code = error;
  }
}

/** Starts a call with a public key; resolves with the address of its media socket. Rejects with CallRefused. */
export async function startPublicCall(service: string, key: string): Promise<URL> {
  const response = await fetch(new URL('public/v1/calls', service), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = await response.json();
  if (!response.ok) throw new CallRefused(body);
  return new URL((body as { readonly url: string }).url);
}
