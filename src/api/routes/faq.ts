import type { FastifyInstance } from 'fastify';
import type { Contract } from '../../contract/contract.ts';
import {
  deleteFaqEntry,
  insertFaqEntries,
  listFaqEntries,
  updateFaqEntries,
} from '../../store/faq-entries.ts';
import { getKnowledgeBase } from '../../store/knowledge-bases.ts';
import type { ApiDeps } from '../deps.ts';
import { serve } from '../route.ts';

export function faqRoutes(
  app: FastifyInstance,
  operations: Contract['knowledgeBases'],
  { db }: Pick<ApiDeps, 'db'>,
): void {
  serve(app, operations.listFaq, async ({ teamId, params }) => {
    const { id } = await getKnowledgeBase(db, { teamId, id: params.id });
    return { faq: [...(await listFaqEntries(db, { teamId, knowledgeBaseId: id }))] };
  });

  serve(app, operations.addFaq, async ({ teamId, params, body }) => ({
    faq: [
      ...(await insertFaqEntries(db, { teamId, knowledgeBaseId: params.id, entries: body.faq })),
    ],
  }));

  serve(app, operations.updateFaq, async ({ teamId, params, body }) => ({
    faq: [
      ...(await updateFaqEntries(db, { teamId, knowledgeBaseId: params.id, entries: body.faq })),
    ],
  }));

  serve(app, operations.removeFaq, async ({ teamId, params }) => {
    await deleteFaqEntry(db, { teamId, knowledgeBaseId: params.id, id: params.faqId });
    return { message: 'FAQ entry deleted' };
  });
}
