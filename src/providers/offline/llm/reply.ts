import { decideForColleague, isBriefing } from './colleague.ts';
import { classify, type Intent } from './intent.ts';
import { findAnswer, parseKnowledge } from './knowledge.ts';
import { detectLanguage, type Language } from './language.ts';
import { findStep, type Step } from './next-step.ts';
import { PHRASES, type Phrases } from './phrases.ts';

/** A conversation as a Chat Completions request tells it. */
export interface Conversation {
  readonly messages: readonly ConversationMessage[];
  /** Names of the tools offered. */
  readonly tools: readonly string[];
  /** Where a workflow may go from here. */
  readonly steps?: readonly Step[];
  /** False: none of them may be called now. */
  readonly mayCall: boolean;
  /** A language tag from the request's metadata. */
  readonly languageHint?: unknown;
}

interface ConversationMessage {
  readonly role: string;
  readonly content: string;
  /** Of an assistant's tool calls, the names by id. */
  readonly toolCalls?: ReadonlyMap<string, string>;
  readonly toolCallId?: string;
}

export interface OfflineReply {
  readonly text: string;
  readonly toolCall?: {
    readonly name: string;
    readonly arguments: Readonly<Record<string, string>>;
  };
}

const KNOWLEDGE_TOOL = 'knowledgeBase';
const END_CALL_TOOL = 'endCall';
export const NEXT_STEP_TOOL = 'nextStep';

const OFFERED = /“([^”]+)”/g;

interface Situation {
  readonly conversation: Conversation;
  readonly language: Language;
  readonly phrases: Phrases;
  /** What the caller said last. */
  readonly asked: string;
  /** What the assistant was last heard to say. */
  readonly heard: string;
}

function quoted(questions: readonly string[]): string[] {
  return questions.map((question) => `“${question.replace(/[“”]/g, '')}”`);
}

/** The questions offered in the assistant's last message; what is quoted in an answer is no offer. */
function offersIn({ heard, phrases }: Situation): string[] {
  const [beforeQuestion] = phrases.notSure('“').split('“');
  const isOffer = heard.startsWith(phrases.unknown) || heard.startsWith(beforeQuestion ?? '');
  return isOffer ? [...heard.matchAll(OFFERED)].map((match) => match[1] as string) : [];
}

function lookUp(situation: Situation, query: string): OfflineReply {
  if (!situation.conversation.tools.includes(KNOWLEDGE_TOOL))
    return { text: situation.phrases.onlyKnowledge };
  if (!situation.conversation.mayCall) return { text: situation.phrases.unknown };
  return { text: '', toolCall: { name: KNOWLEDGE_TOOL, arguments: { query } } };
}

function farewell(situation: Situation): OfflineReply {
  const text = situation.phrases.farewell;
  const { tools, mayCall } = situation.conversation;
  if (!mayCall || !tools.includes(END_CALL_TOOL)) return { text };
  return { text, toolCall: { name: END_CALL_TOOL, arguments: {} } };
}

function repeat({ heard, phrases }: Situation): OfflineReply {
  const said = heard.replace(/\s*—$/, '');
  return { text: said === '' ? phrases.nothingToRepeat : said };
}

function agree(situation: Situation): OfflineReply {
  const offers = offersIn(situation);
  if (offers.length > 1) return { text: situation.phrases.whichOne };
  return offers[0] ? lookUp(situation, offers[0]) : { text: situation.phrases.goOn };
}

/** The offers are two messages back when the assistant asked which one was meant. */
function choose(situation: Situation, index: number): OfflineReply {
  const earlier = situation.conversation.messages
    .filter((message) => message.role === 'assistant')
    .map((message) => message.content);
  const candidates = [situation.heard, earlier.at(-2) ?? ''];
  for (const heard of candidates) {
    const offer = offersIn({ ...situation, heard })[index];
    if (offer) return lookUp(situation, offer);
  }
  return lookUp(situation, situation.asked);
}

function decline(situation: Situation): OfflineReply {
  // Nothing else is wanted either: that ends it.
  if (situation.heard.endsWith(situation.phrases.anythingElse)) return farewell(situation);
  return { text: situation.phrases.anythingElse };
}

const LEADS_ON: ReadonlySet<Intent> = new Set<Intent>(['question', 'yes', 'no']);

function stepOn({ conversation, asked, language }: Situation): OfflineReply | undefined {
  if (!conversation.mayCall) return undefined;
  const step = findStep(asked, conversation.steps ?? [], language);
  return step === undefined
    ? undefined
    : { text: '', toolCall: { name: NEXT_STEP_TOOL, arguments: { step } } };
}

/** In the new step the same words may have an answer. */
function afterStep(situation: Situation): OfflineReply {
  const { tools, mayCall } = situation.conversation;
  return mayCall && tools.includes(KNOWLEDGE_TOOL)
    ? lookUp(situation, situation.asked)
    : { text: situation.phrases.goOn };
}

function replyToUser(situation: Situation): OfflineReply {
  const { phrases } = situation;
  const replies: Readonly<Record<Intent, () => OfflineReply>> = {
    vague: () => ({ text: phrases.askAgain }),
    greeting: () => ({ text: phrases.greeting }),
    thanks: () => ({ text: phrases.thanks }),
    goodbye: () => farewell(situation),
    repeat: () => repeat(situation),
    yes: () => agree(situation),
    no: () => decline(situation),
    first: () => choose(situation, 0),
    second: () => choose(situation, 1),
    question: () => lookUp(situation, situation.asked),
  };
  const intent = classify(situation.asked, situation.language);
  const { tools, mayCall } = situation.conversation;
  if (mayCall && isBriefing(tools)) {
    const name = decideForColleague(situation.asked, intent, situation.language);
    // Whoever has not decided is asked once more by what they were told.
    return name ? { text: '', toolCall: { name, arguments: {} } } : repeat(situation);
  }
  return (LEADS_ON.has(intent) && stepOn(situation)) || replies[intent]();
}

function replyToKnowledge(situation: Situation, content: string): OfflineReply {
  const { phrases, language } = situation;
  const results = parseKnowledge(content);
  if (!results) return { text: phrases.lookupFailed };
  const finding = findAnswer(situation.asked, results, language);
  switch (finding.kind) {
    case 'answer':
      return { text: finding.text };
    case 'maybe':
      return { text: phrases.notSure(quoted([finding.question]).join('')) };
    case 'nothing':
      return {
        text:
          finding.instead.length === 0
            ? phrases.unknown
            : `${phrases.unknown} ${phrases.canAnswer(quoted(finding.instead))}`,
      };
  }
}

/** What the built-in responder says next. It answers from tool results alone and makes nothing up. */
export function decideReply(conversation: Conversation): OfflineReply {
  const { messages } = conversation;
  const contents = (role: string): string[] =>
    messages
      .filter((message) => message.role === role && message.content !== '')
      .map((message) => message.content)
      .reverse();
  const users = contents('user');
  const assistants = contents('assistant');
  const system = contents('system').reverse().join('\n');
  const language = detectLanguage(conversation.languageHint, system, [...users, ...assistants]);
  // Notes to the model may stand anywhere; they are not somebody's turn.
  const last = messages.findLast((message) => message.role !== 'system');
  const situation: Situation = {
    conversation,
    language,
    phrases: PHRASES[language],
    asked: last?.role === 'user' ? last.content : (users[0] ?? ''),
    heard: assistants[0] ?? '',
  };
  if (last?.role === 'tool') {
    const tool = messages.findLast((message) => message.toolCalls?.has(last.toolCallId ?? ''));
    const name = tool?.toolCalls?.get(last.toolCallId ?? '');
    if (name === NEXT_STEP_TOOL) return afterStep(situation);
    return name === END_CALL_TOOL
      ? { text: situation.phrases.farewell }
      : replyToKnowledge(situation, last.content);
  }
  if (!last) return { text: situation.phrases.welcomeBack };
  if (last.role !== 'user') return { text: situation.phrases.goOn };
  return replyToUser(situation);
}
