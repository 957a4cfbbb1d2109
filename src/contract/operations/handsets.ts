import { z } from 'zod';
import { DateTimeSchema, E164Schema } from '../atoms.ts';
import { operation } from '../operation.ts';

const HandsetConfigSchema = z
  .strictObject({
    number: E164Schema.optional().describe('Whom calls come from. Absent: one is chosen.'),
  })
  .meta({ title: 'HandsetConfig' });

const HandsetSchema = z
  .strictObject({
    number: E164Schema,
    url: z.string().describe('The WebSocket, token included.'),
    token: z.string().describe('Single use, short lived; the last part of the address.'),
    expiresAt: DateTimeSchema,
  })
  .meta({ title: 'Handset' });

const WIRE = `A telephone at the built-in carrier, for a browser: it calls the team's numbers there, rings when one of them dials it, and sends and gets texts. Nothing leaves the service, nothing costs money. Everything takes the way of a real call: signed webhooks, markup, a media socket.

The socket's first frame is \`{"type":"start","sampleRate":16000}\` (8000, 16000, 24000 or 48000), answered by \`{"type":"ready","number","sampleRate","resumeToken"}\`. Binary frames both ways are PCM16, mono, little-endian, at that rate; what is heard comes in real time, only while a call is answered.

To the service: \`call {to}\`, \`answer\`, \`decline {as?}\` (\`busy\`, \`no-answer\` or \`failed\`; absent: \`busy\`), \`hangup\`, \`dtmf {digit}\`, \`sms {to, text}\`.

From it: \`dialling {to}\`, \`ringing {from}\`, \`answered {peer, callId?}\`, \`ended {reason}\` (the carrier's word: \`completed\`, \`busy\`, \`no-answer\`, \`failed\`, \`canceled\`), \`sms {from, text}\`, \`sms-sent {to}\`, \`refused {request, code, message}\` for what cannot be done now (\`busy\`, \`unknown-number\`, \`failed\`), and \`error {code, message}\` before it closes.

A socket that the browser closes (1000, 1001, or without a code) hangs up. One that breaks, or that the service closes with 1012 because its process ends, does not: the telephone comes back to the same address with \`resumeToken\` in place of its token, at once and again while it is refused (\`not_yet\`, 1013, or 503), for 15 seconds if the process lives, and is the same one. If it has a call still, \`ready\` says \`inCall: true\`, and \`ringing\`, \`dialling\` or \`answered\` follows; each token works once, and the new \`ready\` has the next. A second telephone at the same number takes the place of the first.`;

export const handsetOperations = {
  create: operation({
    id: 'createHandset',
    role: 'builder',
    method: 'POST',
    path: '/calls/v1/handsets',
    tag: 'Calls',
    summary: 'Get a telephone at the built-in carrier',
    description: WIRE,
    body: HandsetConfigSchema,
    response: { status: 201, description: 'The telephone.', schema: HandsetSchema },
    errors: ['invalid', 'conflict'],
  }),
} as const;
