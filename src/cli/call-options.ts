import { commandLine } from '../lib/command-line.ts';
import { CliError } from './cli-error.ts';
import { parseOptions } from './parse-options.ts';
import type { PhoneCarrier } from './phone-line.ts';

export const CALL_HELP = `Plays recordings as the caller's turns through a real call, and shows it as it happens.

Usage: ${commandLine('call')} <file.wav>... [options]

  --assistant <id|file.json>  who answers: an assistant of the service, or a configuration made for this call,
                              {…} or {"assistant": {…}, "faq": [{question, answer}…]} (default: the first in the list)
  --via <web|carrier>         how the call goes in: web; twilio, telnyx or asterisk, played by an emulator, into a service
                              started for the call; or emulator, the carrier that every service has (default web)
  --outbound                  the assistant calls, and the recordings answer (with a carrier)
  --url <url>                 the service (default: where this configuration listens, else one started for the call)
  --key <key>                 its API key (default: API_KEY)
  --data <dir>                data of a service that is started for the call (default: a temporary folder)
  --rate <hz>                 8000, 16000, 24000 or 48000 (default 16000)
  --barge-in <ms>             speak the next turn so long after each answer began (default: after it ended)
  --wait <seconds>            how long an answer may take to begin (default 15)
  --out <dir>                 where recording, transcript and journal go (default out/<call id>)
  --help                      this text

Exit code: 0 every turn was answered, 1 failed, 2 wrong usage, 3 the call ended early or a turn got no answer.
`;

export interface CallOptions {
  readonly files: readonly string[];
  readonly assistant?: string;
  readonly url?: string;
  readonly key?: string;
  readonly dataDir?: string;
  readonly sampleRateHz: number;
  readonly bargeInMs?: number;
  readonly waitMs: number;
  /** Undefined for a web call. */
  readonly carrier?: PhoneCarrier;
  readonly outbound: boolean;
  readonly out?: string;
}

const CARRIERS = [
  'twilio',
  'telnyx',
  'asterisk',
  'emulator',
] as const satisfies readonly PhoneCarrier[];

const OPTIONS = {
  assistant: { type: 'string' },
  via: { type: 'string', default: 'web' },
  url: { type: 'string' },
  key: { type: 'string' },
  data: { type: 'string' },
  rate: { type: 'string' },
  'barge-in': { type: 'string' },
  wait: { type: 'string', default: '15' },
  out: { type: 'string' },
  outbound: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Parses the command line; undefined if only help was asked for. Throws {@link CliError} with exit code 2. */
export function parseCallOptions(args: readonly string[]): CallOptions | undefined {
  const { values, positionals } = parseOptions(OPTIONS, args);
  if (values.help) return undefined;
  const carrier = CARRIERS.find((name) => name === values.via);
  if (values.via !== 'web' && !carrier)
    throw new CliError(`--via ${values.via} is unknown: web, ${CARRIERS.join(', ')}`, 2);
  if (carrier && carrier !== 'emulator' && values.url)
    throw new CliError(`--via ${carrier} starts a service of its own: leave --url out`, 2);
  if (carrier && values.rate !== undefined && values.rate !== '8000')
    throw new CliError('--rate: a telephone has 8000', 2);
  if (values.outbound && !carrier)
    throw new CliError('--outbound needs --via with a carrier: a browser cannot be called', 2);
  if (positionals.length === 0) {
    throw new CliError(
      `no recording given: ${commandLine('call')} <file.wav>... (--help shows all)`,
      2,
    );
  }
  const bargeIn = values['barge-in'];
  return {
    files: positionals,
    sampleRateHz: carrier ? 8000 : rate(values.rate ?? '16000'),
    outbound: values.outbound,
    ...(carrier ? { carrier } : {}),
    waitMs: number('--wait', values.wait, 1, 600) * 1000,
    ...(bargeIn === undefined ? {} : { bargeInMs: number('--barge-in', bargeIn, 0, 60_000) }),
    ...optional('assistant', values.assistant),
    ...optional('url', address(values.url)),
    ...optional('key', values.key),
    ...optional('dataDir', values.data),
    ...optional('out', values.out),
  };
}

function rate(text: string): number {
  if (!['8000', '16000', '24000', '48000'].includes(text)) {
    throw new CliError(`--rate ${text}: must be 8000, 16000, 24000 or 48000`, 2);
  }
  return Number(text);
}

function number(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= min && value <= max)) {
    throw new CliError(`${name} ${text}: must be a number from ${min} to ${max}`, 2);
  }
  return value;
}

function address(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new CliError(`--url ${url}: must begin with http:// or https://`, 2);
  }
  return parsed.href.replace(/\/$/, '');
}

function optional<K extends string>(key: K, value: string | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}
