import { startAsteriskEmulator } from '../../src/carriers/emulator/asterisk-side.ts';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import { startTelnyxEmulator } from '../../src/carriers/emulator/telnyx-side.ts';
import { startTwilioEmulator } from '../../src/carriers/emulator/twilio-side.ts';
import type { Call } from '../../src/contract/call.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { ask } from './failover.ts';
import type { ServiceProcess } from './service-process.ts';

/** What the assistant of a library says to each caller. */
export const WELCOME = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
  'Books can be kept for four weeks, and films for seven days.',
].join(' ');
/** All that it says in a call that is told to say one thing more. */
export const WHOLE = `${WELCOME} Still here.`;

const NUMBERS: Readonly<Record<string, string>> = {
  twilio: '+15005550196',
  telnyx: '+15005550197',
  asterisk: '+15005550198',
};
export const numberOf = ({ name }: EmulatedCarrier): string => NUMBERS[name] as string;

export async function startCarriers(): Promise<readonly EmulatedCarrier[]> {
  const clock = systemClock;
  return Promise.all([
    startTwilioEmulator('twilio', { clock }),
    startTelnyxEmulator({ clock }),
    startAsteriskEmulator({ clock }),
  ]);
}

/** What a service needs to reach these carriers. */
export function environmentFor([twilio, telnyx]: readonly EmulatedCarrier[]) {
  return {
    TWILIO_BASE_URL: twilio?.baseUrl ?? '',
    TELNYX_BASE_URL: telnyx?.baseUrl ?? '',
    // Allows the address of the emulated Asterisk.
    ALLOW_PRIVATE_TARGETS: 'true',
    // Other tests may keep the machine busy.
    MAX_LAG_MS: '10000',
    RESUME_SECONDS: '60',
  };
}

/** The carriers' numbers are answered by the service at its present address. */
export function pointCarriersAt(running: ServiceProcess, carriers: readonly EmulatedCarrier[]) {
  for (const carrier of carriers) {
    const at = `${running.url}/carriers/${carrier.name}`;
    carrier.addNumber(numberOf(carrier), { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` });
  }
}

/** An assistant of the library, which answers the numbers of these carriers. Resolves with its id. */
export async function answerNumbers(
  running: ServiceProcess,
  carriers: readonly EmulatedCarrier[],
  more: object = {},
): Promise<string> {
  const post = (path: string, body: object) =>
    running.json<{ _id: string }>(path, { method: 'POST', body });
  const { _id: assistantId } = await post('/assistants/v1/assistants', {
    name: 'Library',
    welcomeMessage: WELCOME,
    recordingEnabled: true,
    ...more,
  });
  for (const carrier of carriers) {
    const { name, credentials } = carrier;
    const number = numberOf(carrier);
    const { _id } = await post(`/assistants/v1/numbers/${name}`, { number, credentials });
    await running.json(`/assistants/v1/numbers/${_id}`, { method: 'PUT', body: { assistantId } });
  }
  return assistantId;
}

/** The id of a telephone's call. */
export async function idOf(running: ServiceProcess, { from }: EmulatedCall): Promise<string> {
  const query = `userNumber=${encodeURIComponent(from)}`;
  const { conversations } = await ask(() =>
    running.json<{ conversations: Call[] }>(`/calls/v1/conversations?${query}`),
  );
  return (conversations[0] as Call).id;
}
