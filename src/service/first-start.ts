import { assistantConfigSchema } from '../contract/assistant.ts';
import type { VendorCatalogue } from '../contract/vendors.ts';
import { createAssistant } from '../store/assistants.ts';
import { ensureFirstTeam } from '../store/bootstrap.ts';
import type { Db } from '../store/db.ts';
import { insertFaqEntries } from '../store/faq-entries.ts';
import { createKnowledgeBase } from '../store/knowledge-bases.ts';
import { sampleAssistant, sampleKnowledge } from './sample-assistant.ts';

interface FirstTeamParams {
  /** Added to the first team unless it is known; absent: a random key is created with the team. */
  readonly configuredKey: string | undefined;
  readonly vendors: VendorCatalogue;
}

/** Ways in that the very first start has made; they are shown only once. */
export interface FirstCredentials {
  readonly newKey?: string | undefined;
  /** Token with which the first person makes an account for themselves. */
  readonly invitation?: string | undefined;
}

/** Creates the first team with a sample assistant, unless there is a team. Returns what was newly created. */
export async function createFirstTeam(
  db: Db,
  { configuredKey, vendors }: FirstTeamParams,
): Promise<FirstCredentials> {
  const { team, newKey, created, invitation } = await ensureFirstTeam(
    db,
    configuredKey ? { configuredKey } : {},
  );
  if (created) await createSampleAssistant(db, { teamId: team.id, vendors });
  return { newKey, invitation };
}

/** Gives a team the sample assistant and what it knows. */
export async function createSampleAssistant(
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
