import type { WebServerFrame } from '../gateway/web-protocol.ts';

/** A text frame from the service on the web media socket. */
export type ServerFrame = WebServerFrame;

const FIELDS = {
  ready: { callId: 'string', sampleRate: 'number', resumeToken: 'string' },
  mark: { mark: 'string' },
  clear: {},
  transcript: { role: 'string', text: 'string', final: 'boolean' },
  state: { user: 'string', assistant: 'string' },
  status: { status: 'string' },
  error: { code: 'string', message: 'string' },
  ended: { reason: 'string' },
} as const satisfies Record<ServerFrame['type'], Readonly<Record<string, string>>>;

/** Parses a frame; undefined if its type is unknown, since newer services may send more types. */
export function parseServerFrame(text: string): ServerFrame | undefined {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null) return undefined;
  const frame = json as Record<string, unknown>;
  if (typeof frame.type !== 'string' || !Object.hasOwn(FIELDS, frame.type)) return undefined;
  const fields = Object.entries(FIELDS[frame.type as ServerFrame['type']]);
  return fields.every(([name, type]) => typeof frame[name] === type)
    ? (frame as ServerFrame)
    : undefined;
}
