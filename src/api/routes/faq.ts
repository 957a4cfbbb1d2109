import type { Contract } from '../../contract/contract.ts';
import {
  deleteFaqEntry,
  insertFaqEntries,
  listFaqEntries,
  updateFaqEntries,
} from '../../store/faq-entries.ts';
import { getKnowledgeBase } from '../../store/knowledge-bases.ts';
import type { ApiDeps } from '../deps.ts';
import { type Routing, serve } from '../route.ts';

export function faqRoutes(
  routing: Routing,
  operations: Contract['knowledgeBases'],
  { db }: Pick<ApiDeps, 'db'>,
): void {
  serve(routing, operations.listFaq, async ({ teamId, params }) => {
    const { id } = await getKnowledgeBase(db, { teamId, id: params.id });
    return { faq: [...(await listFaqEntries(db, { teamId, knowledgeBaseId: id }))] };
  });

  serve(routing, operations.addFaq, async ({ teamId, params, body }) => ({
    faq: [
      ...(await insertFaqEntries(db, { teamId, knowledgeBaseId: params.id, entries: body.faq })),
    ],
  }));

  serve(routing, operations.updateFaq, async ({ teamId, params, body }) => ({
    faq: [
      ...(await updateFaqEntries(db, { teamId, knowledgeBaseId: params.id, entries: body.faq })),
    ],
  }));

  serve(routing, operations.removeFaq, async ({ teamId, params }) => {
    await deleteFaqEntry(db, { teamId, knowledgeBaseId: params.id, id: params.faqId });
    return { message: 'FAQ entry deleted' };
  });
}
