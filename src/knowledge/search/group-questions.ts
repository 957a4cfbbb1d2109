import type { UnansweredWording } from '../../store/knowledge-questions.ts';
import { questionLanguage } from '../language/detect-language.ts';
import { wordsOfLanguage } from '../language/language-words.ts';
import { questionWords } from '../language/question-words.ts';

/** Wordings of what counts as one question, the most frequent first. */
export interface QuestionGroup {
  readonly wordings: readonly UnansweredWording[];
  readonly count: number;
}

/** Least share of terms in common (Dice's coefficient) with a group's most frequent wording. */
const SAME_QUESTION = 0.6;
const MAX_CHARS = 300;

/** Groups wordings by their terms, the most frequent group first. Given the most frequent wordings first. */
export function groupQuestions(wordings: readonly UnansweredWording[]): readonly QuestionGroup[] {
  const groups: { terms: ReadonlySet<string>; wordings: UnansweredWording[]; count: number }[] = [];
  const byTerm = new Map<string, Set<number>>();
  for (const wording of wordings) {
    const terms = termsOfQuestion(wording.question);
    let best: number | undefined;
    let most = SAME_QUESTION;
    for (const at of new Set([...terms].flatMap((term) => [...(byTerm.get(term) ?? [])]))) {
      const closeness = dice(terms, groups[at]?.terms ?? new Set());
      if (closeness >= most) [best, most] = [at, closeness + Number.EPSILON];
    }
    const group = best === undefined ? undefined : groups[best];
    if (group) {
      group.wordings.push(wording);
      group.count += wording.count;
      continue;
    }
    for (const term of terms) byTerm.set(term, (byTerm.get(term) ?? new Set()).add(groups.length));
    groups.push({ terms, wordings: [wording], count: wording.count });
  }
  return groups
    .map(({ wordings: own, count }) => ({ wordings: own, count }))
    .toSorted((a, b) => b.count - a.count);
}

/** The stems of the content words, and what kind of answer is asked for; all words if there are no others. */
function termsOfQuestion(text: string): ReadonlySet<string> {
  const question = text.slice(0, MAX_CHARS);
  const { words } = questionWords(question, wordsOfLanguage(questionLanguage(question, new Set())));
  const content = words.filter((word) => word.content);
  return new Set((content.length > 0 ? content : words).map(({ stem }) => stem));
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((term) => b.has(term)).length;
  return (2 * shared) / (a.size + b.size);
}
