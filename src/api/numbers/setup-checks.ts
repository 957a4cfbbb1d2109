import {
  NUMBER_CHECKS,
  type NumberCheck,
  type NumberCheckName,
} from '../../contract/number-setup.ts';
import type { CarrierName, NumberRoute } from '../../ports/carrier.ts';

/** What a request outside came to. */
export type Asked<T> =
  | { readonly value: T }
  /** A sentence without its full stop; `isRefused`: the credentials were not accepted. */
  | { readonly problem: string; readonly isRefused?: boolean };

/** What is known about a number, and what its carrier said about it. */
export interface SetupFacts {
  readonly provider: CarrierName;
  /** The number or the service has credentials for the carrier. */
  readonly hasAccount: boolean;
  /** Where calls go at a carrier with webhooks; undefined: not asked. */
  readonly route?: Asked<NumberRoute | undefined> | undefined;
  /** Whether a carrier without webhooks has this service as listener; undefined: not asked. */
  readonly followed?: Asked<boolean> | undefined;
  /** The service's public address; undefined: none is configured. */
  readonly publicUrl: string | undefined;
  /** Where calls should go; undefined without a public address. */
  readonly voiceUrl: string | undefined;
  /** Whether the service itself reached its public address; undefined: not tried. */
  readonly reached?: Asked<true> | undefined;
  /** What keeps the number's assistant from serving; undefined: there is no assistant. */
  readonly assistant: { readonly name: string; readonly problems: readonly string[] } | undefined;
  readonly inboundEnabled: boolean;
  readonly arrivedAt: Date | null;
  readonly refusedAt: Date | null;
}

type Finding = Pick<NumberCheck, 'state' | 'message'> & {
  readonly at?: Date | null;
  /** Instead of the usual advice. */
  readonly help?: string;
};

const ok = (message: string): Finding => ({ state: 'ok', message });
const todo = (message: string): Finding => ({ state: 'todo', message });
const failed = (message: string): Finding => ({ state: 'failed', message });

const WEBHOOK: readonly NumberCheckName[] = [
  ...(['credentials', 'address', 'number', 'webhook', 'assistant', 'inbound'] as const),
  ...(['signature', 'arrival'] as const),
];

/** What is checked, by carrier, in the order in which it is set up. */
const CHECKED: Readonly<Record<CarrierName, readonly NumberCheckName[]>> = {
  twilio: WEBHOOK,
  telnyx: WEBHOOK,
  asterisk: ['credentials', 'listening', 'assistant', 'inbound', 'arrival'],
  emulator: ['assistant', 'inbound', 'arrival'],
};

const FINDERS: Readonly<Record<NumberCheckName, (facts: SetupFacts) => Finding>> = {
  credentials,
  address,
  listening,
  number,
  webhook,
  assistant,
  inbound: ({ inboundEnabled }) =>
    inboundEnabled ? ok('They are on.') : failed('They are off: callers are refused.'),
  signature,
  arrival,
};

/** Everything that must be true for a call to the number to arrive, with its state. */
export function checkSetup(facts: SetupFacts): readonly NumberCheck[] {
  return CHECKED[facts.provider].map((check) => {
    const { state, message, at, help } = FINDERS[check](facts);
    return {
      check,
      title: NUMBER_CHECKS[check].title,
      state,
      message,
      ...(at ? { at: at.toISOString() } : {}),
      ...(state === 'ok' ? {} : { help: help ?? NUMBER_CHECKS[check].help }),
    };
  });
}

function credentials({ provider, hasAccount, route, followed }: SetupFacts): Finding {
  if (!hasAccount)
    return failed('There are none: the number has none, and neither has the service.');
  const asked = route ?? followed;
  if (!asked) return todo('They were not tried.');
  if ('value' in asked) return ok('They were tried just now.');
  // Without webhooks, calls arrive over the same connection.
  return asked.isRefused || provider === 'asterisk'
    ? failed(`${asked.problem}.`)
    : todo(`The carrier could not be asked: ${asked.problem}.`);
}

function address({ publicUrl, reached, provider, arrivedAt }: SetupFacts): Finding {
  if (publicUrl === undefined) return failed('The service has no public address.');
  if (reached && 'value' in reached)
    return publicUrl.startsWith('https:')
      ? ok(`${publicUrl} answers.`)
      : todo(
          provider === 'twilio'
            ? `${publicUrl} answers, but is not https: Twilio sends the sound of calls to https addresses only.`
            : `${publicUrl} answers, but is not https: callers’ voices would cross the internet unencrypted.`,
        );
  const why = reached ? reached.problem : 'it was not tried';
  if (arrivedAt)
    return {
      ...todo(`${publicUrl} does not answer the service itself (${why}), but calls have come.`),
      help: 'If calls still arrive there is nothing to do: some networks do not let a machine reach its own public address.',
    };
  return failed(`${publicUrl} does not answer: ${why}.`);
}

function listening({ followed }: SetupFacts): Finding {
  if (!followed || 'problem' in followed) return todo('Not known while Asterisk does not answer.');
  return followed.value
    ? ok('Asterisk has a listener for the application.')
    : failed('Asterisk has no listener for the application: calls to it wait.');
}

const UNASKED = 'Not known, since the carrier could not be asked.';

function number({ route }: SetupFacts): Finding {
  if (!route || 'problem' in route) return todo(UNASKED);
  return route.value ? ok('It is there.') : failed('It is not in this account.');
}

function webhook({ route, voiceUrl }: SetupFacts): Finding {
  if (!route || 'problem' in route) return todo(UNASKED);
  if (!route.value) return todo('The account must have the number first.');
  const { voiceUrl: current, obstacle } = route.value;
  if (obstacle !== undefined) return failed(`The number ${obstacle}.`);
  if (voiceUrl === undefined) return todo('The service must have a public address first.');
  if (current === voiceUrl) return ok(`They go to ${voiceUrl}.`);
  return failed(
    current === '' ? 'No address is set.' : `They go to ${current} instead of ${voiceUrl}.`,
  );
}

function assistant(facts: SetupFacts): Finding {
  if (!facts.assistant) return failed('The number has none: callers are refused.');
  const { name, problems } = facts.assistant;
  return problems.length === 0
    ? ok(`${name} does.`)
    : failed(`${name} cannot take calls: ${problems.join('; ').replace(/\.$/, '')}.`);
}

function signature({ arrivedAt, refusedAt }: SetupFacts): Finding {
  if (refusedAt && (!arrivedAt || refusedAt > arrivedAt))
    return {
      ...failed(
        'A request for this number was refused, since its signature was not the carrier’s.',
      ),
      at: refusedAt,
    };
  return arrivedAt
    ? { ...ok('That of the last call was valid.'), at: arrivedAt }
    : todo('No request has come yet.');
}

const ARRIVAL_HELP: Readonly<Partial<Record<CarrierName, string>>> = {
  asterisk:
    'Call the number once. If nothing arrives, the dialplan does not pass its calls to the application: the line for the number must be Stasis(parley,inbound).',
  emulator: 'Call it from this browser, with the button at the top of its page.',
};

function arrival({ provider, arrivedAt }: SetupFacts): Finding {
  if (arrivedAt) return { ...ok('The carrier announced one.'), at: arrivedAt };
  const help = ARRIVAL_HELP[provider];
  return { ...todo('None has come yet.'), ...(help === undefined ? {} : { help }) };
}
