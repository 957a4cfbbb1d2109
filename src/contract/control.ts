import { z } from 'zod';
import { E164Schema, text } from './atoms.ts';

const spoken = text(5000).regex(/\S/, 'must not be blank');

/** Control requests for a live call. */
export const ControlSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('say'), message: spoken }).describe('Speaks the message.'),
    z
      .strictObject({ type: z.literal('end'), message: text(5000).default('') })
      .describe('Speaks the farewell, if any, and hangs up.'),
    z
      .strictObject({
        type: z.literal('forward'),
        message: z
          .union([z.literal(''), E164Schema], {
            error: 'must be a phone number in E.164 form, such as +14155550123, or empty',
          })
          .default(''),
      })
      .describe("Transfers to the number; empty: the assistant's callForwardData."),
    z
      .strictObject({
        type: z.literal('dtmf'),
        message: z
          .string()
          .regex(/^[0-9A-D*#w,]{1,64}$/, 'must be 1 to 64 of the digits 0-9 A-D * #'),
      })
      .describe('Sends DTMF tones.'),
    z.strictObject({ type: z.literal('sms'), message: spoken }).describe('Sends a text message.'),
    z
      .strictObject({
        type: z.literal('add-message'),
        message: text(20_000).regex(/\S/, 'must not be blank'),
      })
      .describe("Adds a system note to the model's context."),
    ...(['mute-assistant', 'unmute-assistant', 'mute-user', 'unmute-user'] as const).map((type) =>
      z.strictObject({ type: z.literal(type), message: z.literal('').default('') }),
    ),
  ])
  .meta({ title: 'Control' });

export const ControlledSchema = z
  .strictObject({
    message: z.string(),
    data: z.strictObject({ success: z.boolean() }),
  })
  .meta({ title: 'Controlled' });

export type Control = z.output<typeof ControlSchema>;

/** A control request as an event of the call: the journal keeps it in this form. */
export type ControlEvent =
  | { readonly type: 'control.say'; readonly text: string }
  | {
      readonly type: 'control.end';
      readonly text?: string;
      /** @defaultValue ended-by-control */
      readonly reason?: 'team-suspended';
    }
  /** Without a number, to the assistant's own transfer target. */
  | { readonly type: 'control.forward'; readonly to?: string }
  | { readonly type: 'control.dtmf'; readonly digits: string }
  /** Not by a request: whoever takes over comes with a microphone. */
  | { readonly type: 'control.takeOver'; readonly by: string }
  | { readonly type: 'control.giveBack' }
  | { readonly type: 'control.addMessage'; readonly text: string }
  | { readonly type: 'control.mute'; readonly who: 'user' | 'assistant'; readonly on: boolean };

/** Converts a request to the event of the live call. Text messages are sent without the call. */
export function controlEvent(control: Exclude<Control, { type: 'sms' }>): ControlEvent {
  const { type, message } = control;
  switch (type) {
    case 'say':
      return { type: 'control.say', text: message };
    case 'end':
      return { type: 'control.end', ...(message === '' ? {} : { text: message }) };
    case 'forward':
      return { type: 'control.forward', ...(message === '' ? {} : { to: message }) };
    case 'dtmf':
      return { type: 'control.dtmf', digits: message };
    case 'add-message':
      return { type: 'control.addMessage', text: message };
    case 'mute-user':
    case 'unmute-user':
      return { type: 'control.mute', who: 'user', on: type === 'mute-user' };
    case 'mute-assistant':
    case 'unmute-assistant':
      return { type: 'control.mute', who: 'assistant', on: type === 'mute-assistant' };
  }
}
