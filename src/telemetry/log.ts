import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { RepeatGate } from '../lib/repeat-gate.ts';
import type { Clock } from '../ports/clock.ts';

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

/** Lines of one message and code that are written in a minute; further ones are counted. */
const LINES_A_MINUTE = 20;
const WARN_LEVEL = 40;

/** Its timers keep no process alive that has nothing else to do. */
const quietTimers: Pick<Clock, 'setTimeout' | 'clearTimeout'> = {
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/**
 * The process's log: JSON lines on standard error, because standard output is for people. A warning or an error that
 * floods is written twenty times in a minute, then once a minute with `repeated`, the number of those left out.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
  clock = quietTimers,
): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: REDACTED, censor: '[redacted]' },
      hooks: { logMethod: boundFloods(new RepeatGate(clock, { burst: LINES_A_MINUTE })) },
      serializers: { err: pino.stdSerializers.err, req: describeRequest },
    },
    destination,
  );
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

function boundFloods(gate: RepeatGate): LogMethod {
  return function write(args, method, level) {
    const [fields, message] = args as readonly unknown[];
    if (level < WARN_LEVEL || typeof fields !== 'object' || fields === null)
      return method.apply(this, args);
    const code = 'code' in fields ? fields.code : '';
    const known = fields instanceof Error ? { err: fields } : fields;
    const text = typeof message === 'string' ? message : undefined;
    const tell = (repeated: number) => method.apply(this, [{ ...known, repeated }, text]);
    if (gate.admit(`${level} ${text} ${code}`, tell)) method.apply(this, args);
  };
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
    url: request.url?.replace(
      /(\/media\/[^/]+\/|[?&](?:token|code|state)=)[^/?&]+/g,
      '$1[redacted]',
    ),
  };
}
