import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import { sendTraining } from '../../knowledge/training/train-job.ts';
import { ComputeError } from '../../lib/compute-pool.ts';
import {
  createKnowledgeBase,
  getKnowledgeBase,
  listKnowledgeBases,
} from '../../store/knowledge-bases.ts';
import {
  countAskedQuestions,
  dismissQuestions,
  listUnansweredWordings,
} from '../../store/knowledge-questions.ts';
import { removeKnowledgeBase } from '../../store/remove-knowledge-base.ts';
import { countKnowledgeBaseUses } from '../../store/uses.ts';
import type { ApiDeps } from '../deps.ts';
import { checkFiles, toContent } from '../knowledge-bases/content.ts';
import {
  presentHit,
  presentKnowledgeBase,
  presentStatus,
  presentUnanswered,
} from '../knowledge-bases/present.ts';
import { queueForTraining, replaceKnowledgeBase } from '../knowledge-bases/replace.ts';
import { servePages } from '../list-route.ts';
import { type Routing, serve } from '../route.ts';

export function knowledgeBaseRoutes(
  routing: Routing,
  operations: Contract['knowledgeBases'],
  deps: Pick<ApiDeps, 'db' | 'jobs' | 'knowledge'>,
): void {
  const { db } = deps;

  servePages(routing, operations.list, {
    name: 'knowledge_bases',
    read: (params) => listKnowledgeBases(db, params),
    present: presentKnowledgeBase,
  });

  serve(routing, operations.uses, async ({ teamId, query }) => [
    ...(await countKnowledgeBaseUses(db, { teamId, ...query })),
  ]);

  serve(routing, operations.create, async ({ teamId, body }) => {
    const created = await db.transaction(async (tx) => {
      await checkFiles(tx, { teamId, files: body.files });
      const base = await createKnowledgeBase(tx, { teamId, ...toContent(body) });
      if (base.status === 'queued')
        await sendTraining(deps.jobs, tx, { teamId, knowledgeBaseId: base.id });
      return base;
    });
    return presentKnowledgeBase(created);
  });

  serve(routing, operations.get, async ({ teamId, params }) =>
    presentKnowledgeBase(await getKnowledgeBase(db, { teamId, id: params.id })),
  );

  serve(routing, operations.replace, async ({ teamId, params, body, ifMatch }) => {
    const replacement = { teamId, id: params.id, config: body, ifMatch };
    return presentKnowledgeBase(await replaceKnowledgeBase(deps, replacement));
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await removeKnowledgeBase(db, { teamId, id: params.id });
    return { message: 'Knowledge base deletion accepted' };
  });

  serve(routing, operations.status, async ({ teamId, params }) =>
    presentStatus(await getKnowledgeBase(db, { teamId, id: params.id })),
  );

  serve(routing, operations.train, async ({ teamId, params }) =>
    presentStatus(await queueForTraining(deps, { teamId, id: params.id })),
  );

  serve(routing, operations.search, async ({ teamId, params, body }) => {
    const { id } = await getKnowledgeBase(db, { teamId, id: params.id });
    const hits = await deps.knowledge
      .search({ teamId, knowledgeBaseIds: [id], ...body })
      .catch(refuseForNow);
    return { results: hits.map(presentHit) };
  });

  serve(routing, operations.coverage, async ({ teamId, params, query }) => {
    const { id: knowledgeBaseId } = await getKnowledgeBase(db, { teamId, id: params.id });
    const period = { knowledgeBaseId, since: new Date(Date.now() - query.days * DAY_MS) };
    const counts = await countAskedQuestions(db, period);
    const wordings = await listUnansweredWordings(db, { ...period, limit: MAX_UNANSWERED });
    const groups = await deps.knowledge
      .findUnanswered({ teamId, knowledgeBaseId, wordings })
      .catch(refuseForNow);
    return { ...counts, unanswered: groups.map(presentUnanswered) };
  });

  serve(routing, operations.dismissQuestions, async ({ teamId, params, body }) => {
    const { id: knowledgeBaseId } = await getKnowledgeBase(db, { teamId, id: params.id });
    await dismissQuestions(db, { teamId, knowledgeBaseId, questions: body.questions });
    return { message: 'Questions dismissed' };
  });
}

const RETRY_AFTER_SECONDS = 5;
const DAY_MS = 24 * 3600_000;
/** Wordings of unanswered questions that are looked at. */
const MAX_UNANSWERED = 1000;

/** Throws Problem that asks to retry if a search was out of room or time: later, the index is in memory. */
function refuseForNow(error: unknown): never {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  if (!isLate && !(error instanceof ComputeError)) throw error;
  throw new Problem({
    kind: 'unavailable',
    message: 'The knowledge base cannot be searched at the moment',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
