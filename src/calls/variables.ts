import type { AssistantConfig } from '../contract/assistant.ts';
import { boundedMemo } from '../lib/bounded-memo.ts';
import type { CallRecord } from '../store/calls.ts';

/** The call, or the conversation by text, whose texts are filled. */
interface VariableSource {
  readonly assistant: Pick<AssistantConfig, 'config'>;
  /** Variables of the assistant's and the call's overrides. */
  readonly variables: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly userNumber: string | null;
  readonly customerName?: string | null;
  readonly assistantNumber: string | null;
  readonly id?: string;
}

/**
 * The values of `{{name}}` in texts. Metadata take precedence over built-in variables, and those of the assistant and
 * its overrides over both. Times are in the time zone of the service.
 */
export function templateVariables(
  source: VariableSource,
  nowMs: number,
): Readonly<Record<string, string>> {
  const metadata = Object.entries(source.metadata ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { ...builtIn(source, nowMs), ...Object.fromEntries(metadata), ...source.variables };
}

/** The values of `{{name}}` in a call's texts. */
export function callVariables(record: CallRecord, nowMs: number): Readonly<Record<string, string>> {
  const { assistant, variables } = record.snapshot;
  return templateVariables({ ...record, assistant, variables }, nowMs);
}

function languageOf({ config }: VariableSource['assistant']): string {
  const [first = ''] = config.speech.stt.languages.split(',');
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(first.trim()).at(0) ?? 'en-US';
  } catch {
    // The recogniser may know a tag that is not a valid BCP 47 tag.
    return 'en-US';
  }
}

/** Kept, since making them takes a millisecond of the thread that carries sound. */
const formatsOf = boundedMemo(32, (language) => ({
  now: new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }),
  date: new Intl.DateTimeFormat(language, { dateStyle: 'full' }),
  time: new Intl.DateTimeFormat(language, { timeStyle: 'short' }),
}));

function builtIn(source: VariableSource, nowMs: number): Record<string, string> {
  const now = new Date(nowMs);
  const formats = formatsOf(languageOf(source.assistant));
  return {
    now: formats.now.format(now),
    date: formats.date.format(now),
    time: formats.time.format(now),
    'customer.number': source.userNumber ?? '',
    'customer.name': source.customerName ?? '',
    'assistant.number': source.assistantNumber ?? '',
    'call.id': source.id ?? '',
  };
}
