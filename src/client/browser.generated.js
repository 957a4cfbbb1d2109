// @ts-nocheck
// Generated: the client without its types, in one file. Not to be edited.
export const operations = {
  listAssistants: { method: 'GET', path: '/assistants/v1/assistants', idempotent: false },
  createAssistant: { method: 'POST', path: '/assistants/v1/assistants', idempotent: true },
  getAssistant: { method: 'GET', path: '/assistants/v1/assistants/{id}', idempotent: false },
  updateAssistant: { method: 'PATCH', path: '/assistants/v1/assistants/{id}', idempotent: false },
  deleteAssistant: { method: 'DELETE', path: '/assistants/v1/assistants/{id}', idempotent: false },
  listTools: { method: 'GET', path: '/assistants/v1/tools', idempotent: false },
  createTool: { method: 'POST', path: '/assistants/v1/tools', idempotent: true },
  getTool: { method: 'GET', path: '/assistants/v1/tools/{id}', idempotent: false },
  updateTool: { method: 'PATCH', path: '/assistants/v1/tools/{id}', idempotent: false },
  deleteTool: { method: 'DELETE', path: '/assistants/v1/tools/{id}', idempotent: false },
  listNumbers: { method: 'GET', path: '/assistants/v1/numbers', idempotent: false },
  listAvailableNumbers: { method: 'GET', path: '/assistants/v1/numbers/available', idempotent: false },
  purchaseNumber: { method: 'POST', path: '/assistants/v1/numbers/purchase', idempotent: true },
  importTwilioNumber: { method: 'POST', path: '/assistants/v1/numbers/twilio', idempotent: true },
  importTelnyxNumber: { method: 'POST', path: '/assistants/v1/numbers/telnyx', idempotent: true },
  importAsteriskNumber: { method: 'POST', path: '/assistants/v1/numbers/asterisk', idempotent: true },
  importEmulatorNumber: { method: 'POST', path: '/assistants/v1/numbers/emulator', idempotent: true },
  getNumber: { method: 'GET', path: '/assistants/v1/numbers/{id}', idempotent: false },
  updateNumber: { method: 'PUT', path: '/assistants/v1/numbers/{id}', idempotent: false },
  deleteNumber: { method: 'DELETE', path: '/assistants/v1/numbers/{id}', idempotent: false },
  listKnowledgeBases: { method: 'GET', path: '/kb/v1/knowledge-bases', idempotent: false },
  createKnowledgeBase: { method: 'POST', path: '/kb/v1/knowledge-bases', idempotent: true },
  getKnowledgeBase: { method: 'GET', path: '/kb/v1/knowledge-bases/{id}', idempotent: false },
  replaceKnowledgeBase: { method: 'PUT', path: '/kb/v1/knowledge-bases/{id}', idempotent: false },
  deleteKnowledgeBase: { method: 'DELETE', path: '/kb/v1/knowledge-bases/{id}', idempotent: false },
  getKnowledgeBaseStatus: { method: 'GET', path: '/kb/v1/knowledge-bases/{id}/status', idempotent: false },
  trainKnowledgeBase: { method: 'POST', path: '/kb/v1/knowledge-bases/{id}/train', idempotent: false },
  searchKnowledgeBase: { method: 'POST', path: '/kb/v1/knowledge-bases/{id}/search', idempotent: false },
  listFaq: { method: 'GET', path: '/kb/v1/knowledge-bases/{id}/faq-template', idempotent: false },
  addFaq: { method: 'POST', path: '/kb/v1/knowledge-bases/{id}/faq-template', idempotent: true },
  updateFaq: { method: 'PUT', path: '/kb/v1/knowledge-bases/{id}/faq-template', idempotent: false },
  deleteFaq: { method: 'DELETE', path: '/kb/v1/knowledge-bases/{id}/faq-template/{faqId}', idempotent: false },
  listFiles: { method: 'GET', path: '/kb/v1/files', idempotent: false },
  uploadFile: { method: 'POST', path: '/kb/v1/files', idempotent: true },
  getFile: { method: 'GET', path: '/kb/v1/files/{id}', idempotent: false },
  deleteFile: { method: 'DELETE', path: '/kb/v1/files/{id}', idempotent: false },
  getFileContent: { method: 'GET', path: '/kb/v1/files/{id}/content', idempotent: false },
  connectCall: { method: 'POST', path: '/calls/v1/conversations/connect', idempotent: true },
  listCalls: { method: 'GET', path: '/calls/v1/conversations', idempotent: false },
  getCall: { method: 'GET', path: '/calls/v1/conversations/{id}', idempotent: false },
  controlCall: { method: 'POST', path: '/calls/v1/conversations/{id}/control', idempotent: false },
  getCallRecording: { method: 'GET', path: '/calls/v1/conversations/{id}/recording', idempotent: false },
  getCallTranscript: { method: 'GET', path: '/calls/v1/conversations/{id}/transcript', idempotent: false },
  listenToCall: { method: 'GET', path: '/calls/v1/conversations/{id}/listen', idempotent: false },
  createListenToken: { method: 'POST', path: '/calls/v1/conversations/{id}/listen', idempotent: false },
  getCallEvents: { method: 'GET', path: '/calls/v1/conversations/{id}/events', idempotent: false },
  listCallDeliveries: { method: 'GET', path: '/calls/v1/conversations/{id}/deliveries', idempotent: false },
  redeliverCallDelivery: { method: 'POST', path: '/calls/v1/conversations/{id}/deliveries/{deliveryId}/redeliver', idempotent: false },
  listApiKeys: { method: 'GET', path: '/auth/v1/api-keys', idempotent: false },
  createApiKey: { method: 'POST', path: '/auth/v1/api-keys', idempotent: true },
  revokeApiKey: { method: 'DELETE', path: '/auth/v1/api-keys/{id}', idempotent: false },
}         ;
export class ApiError extends Error {
                    name = 'ApiError';
           status        ;
           body         ;
           requestId                    ;
           retryAfterSeconds                    ;
  constructor(response          , text        ) {
    const body = parsed(text);
    super(messageOf(body) ?? `the service answered ${response.status}`);
    this.status = response.status;
    this.body = body;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}
function parsed(text        )          {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
function messageOf(body         )                     {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, detail } = body                                           ;
  if (typeof message === 'string') return message;
  if (typeof detail === 'string') return detail;
  if (typeof detail !== 'object' || detail === null) return undefined;
  const { errors } = detail                                                             ;
  if (errors) return errors.map((fault) => `${fault.path}: ${fault.message}`).join('; ');
  return messageOf(detail);
}
const RETRIED = new Set([429, 502, 503, 504]);
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
export class Client {
           #options                         ;
  constructor(options               ) {
    this.#options = {
      timeoutMs: 30_000,
      maxRetries: 2,
      fetch: (url, init) => fetch(url, init),
      wait: waitFor,
      ...options,
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
    };
  }
  async call                       (id   , ...[request]              )                        {
    const response = await this.#send(operations[id], (request ?? {})         );
    return (await response.json())                ;
  }
  async open                       (id   , ...[request]              )                    {
    return this.#send(operations[id], (request ?? {})         );
  }
  async #send(route       , parts       )                    {
    const key = parts.idempotencyKey ?? (route.idempotent ? crypto.randomUUID() : undefined);
    const repeatable = route.method === 'GET' || key !== undefined;
    const url = `${this.#options.baseUrl}${addressOf(route.path, parts)}`;
    const init = this.#requestInit(route, parts, key);
    for (let attempt = 0; ; attempt++) {
      const last = !repeatable || attempt >= this.#options.maxRetries;
      try {
        const response = await this.#options.fetch(url, this.#withDeadline(init, parts.signal));
        if (response.ok) return response;
        const error = new ApiError(response, await response.text());
        if (last || !isPassing(error)) throw error;
        await this.#options.wait(pauseMs(attempt, error), parts.signal);
      } catch (error) {
        if (last || parts.signal?.aborted || error instanceof ApiError) throw error;
        await this.#options.wait(pauseMs(attempt), parts.signal);
      }
    }
  }
  #requestInit({ method }       , parts       , key                    )              {
    const { body, ifMatch, headers } = parts;
    return {
      method,
      headers: {
        authorization: `Bearer ${this.#options.apiKey}`,
        ...(body === undefined || body instanceof FormData
          ? {}
          : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    };
  }
  #withDeadline(init             , signal                         )              {
    const deadline = AbortSignal.timeout(this.#options.timeoutMs);
    return { ...init, signal: signal ? AbortSignal.any([signal, deadline]) : deadline };
  }
}
function addressOf(path        , { path: names = {}, query = {} }       )         {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name        ) =>
    encodeURIComponent(names[name] ?? ''),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? address : `${address}?${search}`;
}
function isPassing({ status, retryAfterSeconds }          )          {
  return RETRIED.has(status) || (status === 409 && retryAfterSeconds !== undefined);
}
function pauseMs(attempt        , error           )         {
  const asked = error?.retryAfterSeconds;
  return Math.min(
    asked === undefined ? FIRST_PAUSE_MS * 2 ** attempt : asked * 1000,
    LONGEST_PAUSE_MS,
  );
}
function waitFor(ms        , signal                         )                {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
