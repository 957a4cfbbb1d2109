import {
  LINE_CONDITION_NAMES,
  type LineConditionName,
} from '../../contract/assistant-test-result.ts';
import { commandLine } from '../../lib/command-line.ts';
import { CliError } from '../cli-error.ts';
import { budgetOption, numberOption } from '../number-option.ts';
import { parseOptions } from '../parse-options.ts';

export const TEST_HELP = `Holds test conversations with an assistant and says which of their expectations are met.

Usage: ${commandLine('assistant-test')} <tests.yaml>... --assistant <id[@version]|file.json> [options]
       ${commandLine('assistant-test')} --from-call <id>

  --assistant <id@version>    who is tested: an assistant of the service, by default its published version; a
                              version is a number or a label such as production
  --assistant <file.json>     or a configuration made for this run,
                              {…} or {"assistant": {…}, "faq": […], "tools": […]}
  --seed <n>                  chooses where the engine chooses by chance (default 1)
  --judge <vendor/model>      the model that judges and plays callers with a goal (default: the assistant's)
  --budget <amount>           ends the run when models have cost so much, in the currency of PRICES_FILE
  --max-tokens <n>            ends the run when models have read and written so many tokens
  --spoken                    speaks the tests through real calls, in real time, in each condition
  --virtual                   speaks them in virtual time instead, quicker than speech and the same each time
  --conditions <name,…>       only in these of ${LINE_CONDITION_NAMES.join(', ')}
  --via <web|emulator>        how spoken calls go in: by web, or by telephone (8 kHz, G.711) through the built-in carrier
  --calls <n>                 speaks so many calls, the tests again and again: a load
  --at-once <n>               so many of them at a time (default 10)
  --junit <file.xml>          writes the results as JUnit XML
  --json <file.json>          writes the results as JSON
  --from-call <id>            writes a call of the service as a test to the standard output
  --url <url>                 the service (default: where this configuration listens, else one started for the run)
  --key <key>                 its API key (default: API_KEY)
  --data <dir>                data of a service that is started for the run (default: a temporary folder)
  --help                      this text

Exit code: 0 all tests passed, 1 a test failed or broke, 2 wrong usage or tests that do not parse, 3 not all were judged.
`;

export interface TestOptions {
  readonly files: readonly string[];
  readonly assistant?: string;
  readonly seed: number;
  readonly judge?: { readonly provider: string; readonly model: string };
  readonly budget: { readonly cost?: number; readonly tokens?: number };
  /** The conditions of spoken tests, none for all; absent: the tests are not spoken. */
  readonly spoken?: readonly LineConditionName[];
  /** Spoken in virtual time, by the service. */
  readonly virtual: boolean;
  readonly calls?: number;
  /** How spoken calls go in: `emulator` is the built-in carrier. */
  readonly via: (typeof WAYS)[number];
  readonly atOnce: number;
  readonly junit?: string;
  readonly json?: string;
  readonly fromCall?: string;
  readonly url?: string;
  readonly key?: string;
  readonly dataDir?: string;
}

const WAYS = ['web', 'emulator'] as const;
const MAX_CALLS = 10_000;
const MAX_AT_ONCE = 500;

const text = { type: 'string' } as const;
const OPTIONS = {
  assistant: text,
  seed: { type: 'string', default: '1' },
  judge: text,
  budget: text,
  'max-tokens': text,
  spoken: { type: 'boolean', default: false },
  virtual: { type: 'boolean', default: false },
  conditions: text,
  calls: text,
  via: text,
  'at-once': { type: 'string', default: '10' },
  junit: text,
  json: text,
  'from-call': text,
  url: text,
  key: text,
  data: text,
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Parses the command line; undefined if only help was asked for. Throws {@link CliError} with exit code 2. */
export function parseTestOptions(args: readonly string[]): TestOptions | undefined {
  const { values, positionals: files } = parseOptions(OPTIONS, args);
  if (values.help) return undefined;
  const fromCall = values['from-call'];
  if (fromCall === undefined && files.length === 0)
    throw new CliError(
      `no tests given: ${commandLine('assistant-test')} <tests.yaml>… (--help shows all)`,
      2,
    );
  if (fromCall === undefined && values.assistant === undefined)
    throw new CliError('--assistant says who is tested (--help shows all)', 2);
  const { judge } = values;
  return {
    files,
    seed: numberOption('--seed', values.seed, 2_147_483_647),
    budget: budgetOption(values),
    ...(judge === undefined ? {} : { judge: modelOf(judge) }),
    ...spokenOf(values),
    virtual: virtualOf(values),
    via: wayOf(values.via ?? 'web'),
    atOnce: numberOption('--at-once', values['at-once'], MAX_AT_ONCE, 1),
    ...optional('assistant', values.assistant),
    ...optional('junit', values.junit),
    ...optional('json', values.json),
    ...optional('fromCall', fromCall),
    ...optional('url', values.url?.replace(/\/$/, '')),
    ...optional('key', values.key),
    ...optional('dataDir', values.data),
  };
}

/** The conditions and the number of spoken calls; any of these options means that the tests are spoken. */
function spokenOf({
  spoken,
  virtual,
  conditions,
  calls,
  via,
}: {
  readonly spoken: boolean;
  readonly virtual: boolean;
  readonly conditions?: string | undefined;
  readonly calls?: string | undefined;
  readonly via?: string | undefined;
}): Pick<TestOptions, 'spoken' | 'calls'> {
  const isSpoken = spoken || virtual || conditions !== undefined;
  if (!isSpoken && calls === undefined && via === undefined) return {};
  const names = conditions?.split(',').map((name) => name.trim()) ?? [];
  return {
    spoken: names.map(conditionOf),
    ...(calls === undefined ? {} : { calls: numberOption('--calls', calls, MAX_CALLS, 1) }),
  };
}

function conditionOf(given: string): LineConditionName {
  const known = LINE_CONDITION_NAMES.find((name) => name === given);
  if (!known)
    throw new CliError(`--conditions ${given}: must be of ${LINE_CONDITION_NAMES.join(', ')}`, 2);
  return known;
}

/** In virtual time there is no line to telephone by, and no load. Throws {@link CliError}. */
function virtualOf({
  virtual,
  calls,
  via,
}: {
  readonly virtual: boolean;
  readonly calls?: string | undefined;
  readonly via?: string | undefined;
}): boolean {
  const real = calls !== undefined ? '--calls' : via !== undefined ? '--via' : undefined;
  if (virtual && real !== undefined)
    throw new CliError(`${real} needs real time: leave out --virtual`, 2);
  return virtual;
}

function wayOf(given: string): TestOptions['via'] {
  const way = WAYS.find((name) => name === given);
  if (!way) throw new CliError(`--via ${given} is unknown: ${WAYS.join(', ')}`, 2);
  return way;
}

function modelOf(given: string): { readonly provider: string; readonly model: string } {
  const [provider = '', ...model] = given.split('/');
  if (provider === '' || model.join('/') === '')
    throw new CliError(`--judge ${given}: must be vendor/model, such as openai/gpt-4o-mini`, 2);
  return { provider, model: model.join('/') };
}

function optional<K extends string>(key: K, value: string | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}
