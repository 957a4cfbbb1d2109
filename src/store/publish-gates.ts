import { and, eq } from 'drizzle-orm';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { assistants } from './schema/assistants.ts';

/** What publishing a version of an assistant requires. */
export interface PublishGate {
  readonly requireTests: boolean;
}

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(assistants.teamId, teamId), eq(assistants.id, id));
const gate = { requireTests: assistants.requireTests };

/** Throws NotFoundError. */
export async function getPublishGate(db: Db, params: One): Promise<PublishGate> {
  const [row] = await db.select(gate).from(assistants).where(own(params));
  if (!row) throw new NotFoundError('assistant', params.id);
  return row;
}

/** Throws NotFoundError. The assistant itself does not change by it. */
export async function setPublishGate(db: Db, params: One & PublishGate): Promise<PublishGate> {
  const { requireTests } = params;
  const [row] = await db
    .update(assistants)
    .set({ requireTests })
    .where(own(params))
    .returning(gate);
  if (!row) throw new NotFoundError('assistant', params.id);
  return row;
}
