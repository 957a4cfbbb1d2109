import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { CallRecord } from '../store/calls.ts';

/**
 * The values of `{{name}}` in a call's texts. The call's metadata take precedence over built-in variables, and those of
 * the assistant and its overrides over both. Times are in the time zone of the service.
 */
export function callVariables(record: CallRecord, nowMs: number): Readonly<Record<string, string>> {
  const { variables, assistant } = record.snapshot;
  const metadata = Object.entries(record.metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    ...builtIn(record, nowMs, languageOf(assistant)),
    ...Object.fromEntries(metadata),
    ...variables,
  };
}

function languageOf({ config }: CallSnapshot['assistant']): string {
  const [first = ''] = config.speech.stt.languages.split(',');
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(first.trim()).at(0) ?? 'en-US';
  } catch {
    // The recogniser may know a tag that is not a valid BCP 47 tag.
    return 'en-US';
  }
}

function builtIn(record: CallRecord, nowMs: number, language: string): Record<string, string> {
  const now = new Date(nowMs);
  const shown = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(now);
  return {
    now: shown({ dateStyle: 'full', timeStyle: 'short' }),
    date: shown({ dateStyle: 'full' }),
    time: shown({ timeStyle: 'short' }),
    'customer.number': record.userNumber ?? '',
    'customer.name': record.customerName ?? '',
    'assistant.number': record.assistantNumber ?? '',
    'call.id': record.id,
  };
}
