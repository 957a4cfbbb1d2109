/** The service refused a request or failed while handling it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** What was refused, for programs, such as `do-not-call`; most refusals have only their status. */
  readonly code: string | undefined;
  /** The response body, parsed if it is JSON. */
  readonly body: unknown;
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, text: string) {
    const body = parsed(text);
    super(messageOf(body) ?? `the service answered ${response.status}`);
    this.status = response.status;
    this.code = codeOf(body);
    this.body = body;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function codeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  return typeof error === 'string' ? error : codeOf(detail);
}

/** The error message in any of the contract's error shapes, followed by the problems of each field. */
function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, detail } = body as { message?: unknown; detail?: unknown };
  if (typeof message === 'string') return message;
  if (typeof detail === 'string') return detail;
  if (typeof detail !== 'object' || detail === null) return undefined;
  const { errors } = detail as { errors?: readonly { path: string; message: string }[] };
  if (errors) return errors.map((fault) => `${fault.path}: ${fault.message}`).join('; ');
  return messageOf(detail);
}
