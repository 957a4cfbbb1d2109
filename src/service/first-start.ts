import { assistantConfigSchema } from '../contract/assistant.ts';
import type { VendorCatalogue } from '../contract/vendors.ts';
import { createAssistant } from '../store/assistants.ts';
import type { Db } from '../store/db.ts';
import { insertFaqEntries } from '../store/faq-entries.ts';
import { createKnowledgeBase } from '../store/knowledge-bases.ts';
import { sampleAssistant, sampleKnowledge } from './sample-assistant.ts';

/** Gives a new team somebody to talk to: the sample assistant and what it knows. */
export async function createFirstAssistant(
  db: Db,
  { teamId, vendors }: { readonly teamId: string; readonly vendors: VendorCatalogue },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { title, description, faq } = sampleKnowledge;
    const { id } = await createKnowledgeBase(tx, { teamId, title, description });
    const entries = faq.map((entry) => ({ ...entry, updatable: true }));
    await insertFaqEntries(tx, { teamId, knowledgeBaseId: id, entries });
    const config = assistantConfigSchema(vendors).parse({
      ...sampleAssistant,
      assistantKnowledgeBaseIds: [id],
    });
    await createAssistant(tx, { teamId, config });
  });
}
