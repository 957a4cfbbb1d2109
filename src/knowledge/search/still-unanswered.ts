import { ANSWER_SCORE } from '../../contract/knowledge-base.ts';
import type { QuestionGroup } from './group-questions.ts';

/** Groups that are asked again, and that are listed. */
const MAX_TRIED = 100;
const MAX_LISTED = 50;

/** The groups that a search finds no answer to; asked one by one, so that the questions of calls come in between. */
export async function stillUnanswered(
  groups: readonly QuestionGroup[],
  search: (query: string) => Promise<readonly { readonly score: number }[]>,
): Promise<readonly QuestionGroup[]> {
  const open: QuestionGroup[] = [];
  for (const group of groups.slice(0, MAX_TRIED)) {
    const [best] = await search(group.wordings[0]?.question ?? '');
    if ((best?.score ?? 0) < ANSWER_SCORE) open.push(group);
    if (open.length === MAX_LISTED) break;
  }
  return open;
}
