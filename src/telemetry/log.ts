import { type Logger, pino } from 'pino';

/** Fields that may hold what people said, their identity, or a secret. */
const REDACTED = [
  'text',
  'transcript',
  'userNumber',
  'phoneNumber',
  'apiKey',
  'token',
  'secret',
  'authorization',
  'req.headers.authorization',
  'req.headers["sec-websocket-protocol"]',
  '*.text',
  '*.apiKey',
  '*.secret',
  '*.authorization',
];

/** The process's log: JSON lines on standard error, because standard output is for people. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: pino.stdSerializers.err, req: describeRequest },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

// Removes tokens from the URL: a media socket's is in its path, a listener's in its query, and either gives access
// to the call.
function describeRequest(request: {
  readonly method?: string;
  readonly url?: string;
  readonly id?: unknown;
}) {
  return {
    id: request.id,
    method: request.method,
    url: request.url?.replace(/(\/media\/[^/]+\/|[?&]token=)[^/?&]+/g, '$1[redacted]'),
  };
}
