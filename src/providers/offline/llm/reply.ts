import { decideForColleague, isBriefing } from './colleague.ts';
import { type DescribedTool, findTool, sayResult } from './described-tool.ts';
import { classify, type Intent } from './intent.ts';
import { findAnswer, parseKnowledge } from './knowledge.ts';
import { detectLanguage, type Language } from './language.ts';
import { findStep, type Step } from './next-step.ts';
import { PHRASES, type Phrases } from './phrases.ts';

/** A conversation, taken from a Chat Completions request. */
export interface Conversation {
  readonly messages: readonly ConversationMessage[];
  /** Names of the available tools. */
  readonly tools: readonly string[];
  /** The tools that can be called without values. */
  readonly described?: readonly DescribedTool[];
  /** The possible next steps of a workflow. */
  readonly steps?: readonly Step[];
  /** False if no tool may be called now. */
  readonly mayCall: boolean;
  /** A language tag from the request's metadata. */
  readonly languageHint?: unknown;
}

interface ConversationMessage {
  readonly role: string;
  readonly content: string;
  /** For an assistant's tool calls: their names by id. */
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

export const KNOWLEDGE_TOOL = 'knowledgeBase';
export const END_CALL_TOOL = 'endCall';
export const NEXT_STEP_TOOL = 'nextStep';

const OFFERED = /“([^“”]+)”/g;

interface Situation {
  readonly conversation: Conversation;
  readonly language: Language;
  readonly phrases: Phrases;
  /** The caller's last words. */
  readonly asked: string;
  /** The assistant's last words that were played. */
  readonly heard: string;
}

function quoted(questions: readonly string[]): string[] {
  return questions.map((question) => `“${question.replace(/[“”]/g, '')}”`);
}

/** The questions offered in the assistant's last message; a quotation in an answer is not an offer. */
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

function callByDescription({ conversation, asked, language }: Situation): OfflineReply | undefined {
  if (!conversation.mayCall) return undefined;
  const name = findTool(asked, conversation.described ?? [], language);
  return name === undefined ? undefined : { text: '', toolCall: { name, arguments: {} } };
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

/** After the assistant asked which one was meant, the offers are two messages back. */
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
  // The caller needs nothing else, so the conversation ends.
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

/** The new step may have an answer to the same words. */
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
    question: () => callByDescription(situation) ?? lookUp(situation, situation.asked),
  };
  const intent = classify(situation.asked, situation.language);
  const { tools, mayCall } = situation.conversation;
  if (mayCall && isBriefing(tools)) {
    const name = decideForColleague(situation.asked, intent, situation.language);
    // While the colleague has not decided, the briefing is repeated.
    return name ? { text: '', toolCall: { name, arguments: {} } } : repeat(situation);
  }
  return (LEADS_ON.has(intent) && stepOn(situation)) || replies[intent]();
}

function replyToTool({ phrases }: Situation, content: string): OfflineReply {
  return { text: sayResult(content) || phrases.lookupFailed };
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
    case 'nothing': {
      const offers =
        'questions' in finding
          ? phrases.canAnswer(quoted(finding.questions))
          : finding.topics.length > 0 && phrases.canTellAbout(quoted(finding.topics));
      return { text: offers ? `${phrases.unknown} ${offers}` : phrases.unknown };
    }
  }
}

/** Decides the built-in responder's next reply. It answers only from tool results and makes nothing up. */
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
  // System notes may stand anywhere and are not a turn.
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
    if (name === END_CALL_TOOL) return { text: situation.phrases.farewell };
    return name === undefined || name === KNOWLEDGE_TOOL
      ? replyToKnowledge(situation, last.content)
      : replyToTool(situation, last.content);
  }
  if (!last) return { text: situation.phrases.welcomeBack };
  if (last.role !== 'user') return { text: situation.phrases.goOn };
  return replyToUser(situation);
}
