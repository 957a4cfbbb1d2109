/** What the service says in text over the web media socket. */
export type ServerFrame =
  | {
      readonly type: 'ready';
      readonly callId: string;
      readonly sampleRate: number;
      readonly resumeToken: string;
    }
  | { readonly type: 'mark'; readonly mark: string }
  | { readonly type: 'clear' }
  | {
      readonly type: 'transcript';
      readonly role: 'user' | 'assistant';
      readonly text: string;
      readonly final: boolean;
    }
  | { readonly type: 'state'; readonly user: string; readonly assistant: string }
  | { readonly type: 'status'; readonly status: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'ended'; readonly reason: string };

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

/** The frame, or undefined for one that a newer service may send and this client does not know. */
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
