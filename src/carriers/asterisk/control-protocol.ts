import { asNumber, asText, type JsonObject, parseJsonFrame } from '../../lib/json-frame.ts';

/** A control message of Asterisk's WebSocket channel, JSON or plain text. */
export interface AsteriskMessage {
  readonly event: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A longer command is ignored by Asterisk, with only a line in its log. */
export const MAX_COMMAND_CHARS = 128;

/** Reads either form. The plain text is an event name, then `key:value` pairs split at the first colon. */
export function parseAsteriskMessage(text: string): AsteriskMessage | undefined {
  if (text.startsWith('{')) {
    const json = parseJsonFrame(text);
    const event = asText(json?.event);
    return json && event ? { event, fields: jsonFields(json) } : undefined;
  }
  const [event = '', ...pairs] = text.trim().split(/\s+/);
  if (!/^[A-Z_]+$/.test(event)) return undefined;
  const fields = pairs.flatMap((pair) => {
    const colon = pair.indexOf(':');
    return colon > 0 ? [[pair.slice(0, colon), pair.slice(colon + 1)] as const] : [];
  });
  return { event, fields: Object.fromEntries(fields) };
}

export function serializeAsteriskCommand(command: string, correlationId?: string): string {
  const fields = correlationId === undefined ? {} : { correlation_id: correlationId };
  const text = JSON.stringify({ command, ...fields });
  if (text.length > MAX_COMMAND_CHARS)
    throw new RangeError(`a command may have ${MAX_COMMAND_CHARS} characters, got ${text.length}`);
  return text;
}

function jsonFields(json: JsonObject): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(json)) {
    const text = asNumber(value)?.toString() ?? asText(value);
    if (text !== '') fields[name] = text;
  }
  return fields;
}
