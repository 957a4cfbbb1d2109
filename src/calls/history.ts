import type { AssistantConfig } from '../contract/assistant.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import {
  type EarlierConversation,
  HISTORY_HEADING,
  listEarlierConversations,
} from '../store/history.ts';
import { listEarlierTexts } from '../store/text-history.ts';

const MAX_CONVERSATIONS = 5;
const MAX_TEXTS = 40;
const MAX_CHARS = 12_000;
const DAY_MS = 24 * 3600_000;

/**
 * Describes earlier conversations with the caller for the system prompt; empty if there are none or none are wanted.
 */
export async function openingHistory(db: Db, call: CallRecord): Promise<string> {
  const { persistHistory } = call.snapshot.assistant;
  const { teamId, assistantId, userNumber } = call;
  if (!userNumber) return '';
  const conversations = await rememberedConversations(db, persistHistory, {
    ...{ teamId, assistantId, userNumber },
    before: call.startAt,
  });
  return describeHistory(conversations);
}

/** The last calls and SMS conversations with a user, oldest first, as configured by `persistHistory`. */
export async function rememberedConversations(
  db: Db,
  { enabled, call, sms, retentionPeriod }: AssistantConfig['persistHistory'],
  user: {
    readonly teamId: string;
    readonly assistantId: string | null;
    readonly userNumber: string;
    readonly before: Date;
  },
): Promise<readonly EarlierConversation[]> {
  if (!enabled) return [];
  const since = new Date(user.before.getTime() - retentionPeriod * DAY_MS);
  const { assistantId } = user;
  const [calls, texts] = await Promise.all([
    call ? listEarlierConversations(db, { ...user, since, limit: MAX_CONVERSATIONS }) : [],
    sms && assistantId
      ? listEarlierTexts(db, { ...user, assistantId, since, limit: MAX_TEXTS })
      : [],
  ]);
  return [...calls, ...texts]
    .toSorted((a, b) => a.startAt.getTime() - b.startAt.getTime())
    .slice(-MAX_CONVERSATIONS);
}

/**
 * Formats conversations for the model; the oldest part is cut if they are too long. What callers have said must not be
 * taken as instructions.
 */
export function describeHistory(conversations: readonly EarlierConversation[]): string {
  const text = conversations
    .map(({ startAt, messages }) => {
      const lines = messages
        .filter(({ role, text }) => (role === 'user' || role === 'assistant') && text !== '')
        .map(({ role, text }) => `${role === 'user' ? 'Caller' : 'You'}: ${text}`);
      return lines.length === 0
        ? ''
        : `On ${startAt.toISOString().slice(0, 10)}:\n${lines.join('\n')}`;
    })
    .filter((conversation) => conversation !== '')
    .join('\n\n');
  if (text === '') return '';
  const kept = text.length > MAX_CHARS ? `[…] ${text.slice(-MAX_CHARS)}` : text;
  return `${HISTORY_HEADING}\n${kept}`;
}
