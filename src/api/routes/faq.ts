import type { Contract } from '../../contract/contract.ts';
import { sendTraining } from '../../knowledge/training/train-job.ts';
import type { Db } from '../../store/db.ts';
import {
  deleteFaqEntry,
  type FaqEntry,
  insertFaqEntries,
  listFaqEntries,
  updateFaqEntries,
} from '../../store/faq-entries.ts';
import { getKnowledgeBase } from '../../store/knowledge-bases.ts';
import type { TrainingDue } from '../../store/knowledge-training.ts';
import { refuseOverKnowledge } from '../../store/team-limits.ts';
import type { ApiDeps } from '../deps.ts';
import { serveList } from '../list-route.ts';
import { portionsOf } from '../portions.ts';
import { type Routing, serve } from '../route.ts';

export function faqRoutes(
  routing: Routing,
  operations: Contract['knowledgeBases'],
  { db, jobs }: Pick<ApiDeps, 'db' | 'jobs'>,
): void {
  /** Changes entries and queues the training, in one transaction. */
  const change = <T>(due: TrainingDue, work: (tx: Db) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const done = await work(tx);
      await sendTraining(jobs, tx, due);
      return done;
    });

  serveList(routing, operations.listFaq, async ({ teamId, params }) => {
    const { id } = await getKnowledgeBase(db, { teamId, id: params.id });
    const entries = await listFaqEntries(db, { teamId, knowledgeBaseId: id });
    return { name: 'faq', portions: portionsOf(entries), present: (entry: FaqEntry) => entry };
  });

  serve(routing, operations.addFaq, async ({ teamId, params, body }) => {
    const due = { teamId, knowledgeBaseId: params.id };
    const faq = await change(due, async (tx) => {
      const inserted = await insertFaqEntries(tx, { ...due, entries: body.faq });
      await refuseOverKnowledge(tx, { teamId });
      return inserted;
    });
    return { faq: [...faq] };
  });

  serve(routing, operations.updateFaq, async ({ teamId, params, body }) => {
    const due = { teamId, knowledgeBaseId: params.id };
    const faq = await change(due, (tx) => updateFaqEntries(tx, { ...due, entries: body.faq }));
    return { faq: [...faq] };
  });

  serve(routing, operations.removeFaq, async ({ teamId, params }) => {
    const due = { teamId, knowledgeBaseId: params.id };
    await change(due, (tx) => deleteFaqEntry(tx, { ...due, id: params.faqId }));
    return { message: 'FAQ entry deleted' };
  });
}
