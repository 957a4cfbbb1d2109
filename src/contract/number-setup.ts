import { z } from 'zod';
import { DateTimeSchema, IdSchema } from './atoms.ts';

/** What must be true for a call to a number to arrive, in the order in which it is set up. */
export const NUMBER_CHECKS = {
  credentials: {
    title: 'The carrier accepts the credentials',
    help: 'Copy them anew from the carrier’s own console. To change those of a number, delete it here and import it again: it stays at the carrier.',
  },
  address: {
    title: 'The carrier reaches this service',
    help: 'Start the service with PUBLIC_URL, an https address that is reachable from the internet, such as https://voice.example.com. To try it at home, a tunnel gives you one.',
  },
  listening: {
    title: 'This service is connected to Asterisk',
    help: 'The service connects by itself within ten seconds. If it does not: the user needs read and write rights in ari.conf, and no proxy may cut WebSockets.',
  },
  number: {
    title: 'The account has the number',
    help: 'Look in the carrier’s console to which account or subaccount the number belongs, and import it with that account’s credentials.',
  },
  webhook: {
    title: 'The carrier sends its calls here',
    help: 'On the number’s page, press the button under “At the carrier”: the service enters its address there, in place of what it finds.',
  },
  assistant: {
    title: 'An assistant answers',
    help: 'Choose an assistant for the number, one whose vendors have keys.',
  },
  inbound: {
    title: 'Inbound calls are on',
    help: 'Switch inbound calls on for the number.',
  },
  signature: {
    title: 'Requests of the carrier are signed',
    help: 'A carrier signs with the credentials of the number’s account: they must be the same here. PUBLIC_URL must be exactly the address that the carrier calls, with https if it calls https.',
  },
  arrival: {
    title: 'A call has arrived',
    help: 'Call the number once. If nothing arrives, the carrier’s own log of the call says why.',
  },
} as const satisfies Record<string, { readonly title: string; readonly help: string }>;

export type NumberCheckName = keyof typeof NUMBER_CHECKS;

const NumberCheckSchema = z
  .strictObject({
    check: z
      .enum(Object.keys(NUMBER_CHECKS) as [NumberCheckName, ...NumberCheckName[]])
      .describe('Stable. Which there are depends on the carrier.'),
    title: z.string().describe('What must be true.'),
    state: z
      .enum(['ok', 'todo', 'failed'])
      .describe('todo: not done yet, or not known; failed: calls do not arrive because of it.'),
    message: z.string().describe('What was found.'),
    at: DateTimeSchema.optional().describe('When it happened, if it is something past.'),
    help: z.string().optional().describe('What to do; absent if it is ok.'),
  })
  .meta({ title: 'NumberCheck' });

export const NumberSetupSchema = z
  .strictObject({
    numberId: IdSchema,
    checkedAt: DateTimeSchema,
    checks: z.array(NumberCheckSchema).describe('In the order in which they are to be done.'),
  })
  .meta({ title: 'NumberSetup' });

export type NumberCheck = z.output<typeof NumberCheckSchema>;
export type NumberSetup = z.output<typeof NumberSetupSchema>;
